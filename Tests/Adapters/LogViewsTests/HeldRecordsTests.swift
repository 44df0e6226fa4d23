import Synchronization
import Testing

@testable import EventLog

@Suite(.serialized) struct HeldRecordsTests {
    private func record(_ partition: Int, _ offset: Int64, _ value: [UInt8]? = nil) -> StoredRecord
    {
        StoredRecord(
            topic: "in", partition: partition, offset: offset, appendedAtMicroseconds: 0, key: nil,
            value: value, headers: LogHeaders())
    }

    @Test("Ready records are returned in order, up to the limit")
    func order() {
        var held = HeldRecords()
        #expect(held.add((0..<10).flatMap { [record(0, $0), record(1, $0)] }).isEmpty)
        let other = held.next(7) { $0.first?.partition == 1 }
        #expect(other.map(\.offset) == Array(0..<7))
        #expect(held.next(7) { $0.first?.partition == 1 }.map(\.offset) == [7, 8, 9])
        #expect(held.next(7) { _ in false }.isEmpty && !held.isEmpty)
        #expect(held.next(100) { _ in true }.map(\.offset) == Array(0..<10))
        #expect(held.isEmpty)
    }

    @Test("Records without room are read again from the first of them")
    func limit() {
        var held = HeldRecords()
        let limit = Int64(HeldRecords.limit)
        #expect(held.add((0..<limit).map { record(0, $0) }).isEmpty)
        let goBack = held.add([record(0, limit), record(0, limit + 1), record(1, 5)])
        #expect(goBack == [TopicPartition("in", 0): limit, TopicPartition("in", 1): 5])
        held.forget([TopicPartition("in", 0)])
        #expect(held.isEmpty)
    }

    @Test("A few large records fill the room by their bytes, and free it again")
    func bytes() {
        var held = HeldRecords()
        let value = [UInt8](repeating: 1, count: HeldRecords.byteLimit / 4)
        #expect(held.add((0..<4).map { record(0, $0, value) }).isEmpty)
        #expect(held.add([record(0, 4, value)]) == [TopicPartition("in", 0): 4])
        #expect(held.next(2) { _ in true }.count == 2)
        #expect(held.add([record(0, 4, value)]).isEmpty)
    }

    @Test(
        "Records that must wait delay no other partition, and come in order later",
        arguments: Fixture.Kind.available)
    func processing(_ kind: Fixture.Kind) async throws {
        let fixture = try await Fixture(kind)
        let isOpen = Mutex(false)
        let processor = Processor<Void>(
            log: fixture.log,
            configuration: .init(group: "copier", input: "in", stateTopic: nil, batchLimit: 5),
            emptyState: { _ in }, restore: { _, _ in },
            work: { _, records in ProcessorOutputs(copying: records) },
            isReady: { records in
                isOpen.withLock { $0 } || records.allSatisfy { $0.partition == 0 }
            }, deadLetters: .test, notices: .recordingIssues)
        let values = (0..<40).map { ($0 % 2, "\($0)") }
        try await fixture.log.append(
            values.map {
                LogRecord(topic: "in", partition: $0.0, key: [1], value: Array($0.1.utf8))
            })
        let running = Task { try await processor.run() }
        #expect(try await eventually { try await fixture.values(of: "out").count == 20 })
        #expect(
            try await fixture.values(of: "out") == values.filter { $0.0 == 0 }.map(\.1))
        isOpen.withLock { $0 = true }
        #expect(try await eventually { try await fixture.values(of: "out").count == 40 })
        var seen: [Int: [String]] = [:]
        try await fixture.log.readRange(fixture.log.ranges(of: ["out"])) { records in
            for record in records {
                seen[record.partition, default: []].append(
                    String(decoding: record.value ?? [], as: UTF8.self))
            }
        }
        #expect(seen[1] == values.filter { $0.0 == 1 }.map(\.1))
        running.cancel()
        try await running.value
        await fixture.close()
    }
}
