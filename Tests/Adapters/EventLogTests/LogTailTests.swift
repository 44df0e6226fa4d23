import EventLog
import Testing

@testable import PostgresLog

@Suite("The tail of the log that a process keeps")
struct LogTailTests {
    private let busy = PartitionKey(topic: 1, partition: 0)
    private let quiet = PartitionKey(topic: 2, partition: 3)

    private func record(_ offset: Int64, bytes: Int = 1000) -> StoredRecord {
        StoredRecord(
            topic: "t", partition: 0, offset: offset, appendedAtMicroseconds: 1, key: nil,
            value: [UInt8](repeating: 7, count: bytes), headers: LogHeaders())
    }

    private func next(_ tail: LogTail, _ partition: PartitionKey, _ offset: Int64) -> [Int64]? {
        tail.records(of: [partition], from: { _ in offset }, maximum: 10)?
            .flatMap { $0.records.map(\.offset) }
    }

    private func kept(_ tail: LogTail, of partition: PartitionKey, until end: Int64) -> Int64 {
        var first = end
        while first > 0, next(tail, partition, first - 1) != nil {
            first -= 1
        }
        return end - first
    }

    @Test("has one limit for all partitions together, and drops records of busy ones first")
    func isBounded() {
        let tail = LogTail()
        tail.add([record(0), record(1)], to: quiet)
        for offset in 0..<10_000 { tail.add([record(Int64(offset))], to: busy) }
        let bytes = kept(tail, of: busy, until: 10_000) * 1000
        #expect(bytes <= LogTail.maximumBytes)
        #expect(bytes >= LogTail.maximumBytes / 3)
        #expect(kept(tail, of: quiet, until: 2) == 2)
    }

    @Test("reports that a record is gone if it was too large to keep")
    func isTooLarge() {
        let tail = LogTail()
        tail.add([record(0, bytes: LogTail.maximumBytes + 1)], to: busy)
        #expect(next(tail, busy, 0) == nil)
        // A reader that has read the large record gets nothing, and then the record after it.
        #expect(next(tail, busy, 1) == [])
        tail.add([record(1)], to: busy)
        #expect(next(tail, busy, 1)?.count == 1)
    }

    @Test("reports that records are gone if they came in the wrong order, and goes on after them")
    func wrongOrder() {
        let tail = LogTail()
        tail.add([record(0)], to: busy)
        tail.add([record(2)], to: busy)
        tail.add([record(1)], to: busy)
        for offset in 0..<3 { #expect(next(tail, busy, Int64(offset)) == nil) }
        #expect(next(tail, busy, 3) == [])
        tail.add([record(3)], to: busy)
        #expect(next(tail, busy, 3) == [3])
        tail.forget()
        #expect(next(tail, busy, 3) == [])
    }

    @Test("keeps no records from before a gap")
    func gap() {
        let tail = LogTail()
        tail.add([record(0)], to: busy)
        tail.add([record(2)], to: busy)
        #expect(next(tail, busy, 0) == nil)
        #expect(next(tail, busy, 2) == [2])
    }
}
