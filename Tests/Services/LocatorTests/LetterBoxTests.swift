import EventLog
import Events
import Synchronization
import TestSupport
import Testing
import Wire

@testable import ServiceHost

@Suite()
struct LetterBoxTests {
    private static func letter(_ number: Int, bytes: Int) -> LogRecord {
        DeadLettered(
            topic: Topic.scans.name, partition: 0, offset: Int64(number), code: "not-json",
            detail: "", key: [1], value: [UInt8](repeating: 65, count: bytes),
            at: Timestamp(microseconds: (1_800_000_000 + Int64(number)) * 1_000_000),
            headers: Array(LogHeaders().encoded), consumer: "locator", appendedAt: nil, isCut: false
        ).record(source: "/test")
    }

    @Test("Letters are read in pieces and in order, and never all held at once")
    func pieces() async throws {
        let bench = try await LocatorBench(.memory)
        let log = CountingLog(try bench.host().log)
        try await log.append((0..<200).map { Self.letter($0, bytes: 3_000) })
        let box = try await LetterBox(log)
        #expect(box.entries.count == 200)
        #expect(log.count == 200)
        let places = box.entries.sorted { $0.value.at < $1.value.at }.map(\.key)
        var read: [Int64] = []
        // Letters of 3 kB have 4 kB in base64.
        try await box.read(places, from: log, pieceBytes: 200_000) { _, letter in
            if read.isEmpty { #expect(log.count - 200 <= 100) }
            read.append(letter.offset)
            #expect(letter.stored?.value?.count == 3_000)
        }
        #expect(read == Array(0..<200))
        // A piece ends within a batch, and the rest of that batch is read again.
        #expect(log.count <= 600)
        await log.close()
    }

    @Test("A stranger's record is cut to 16 kB; all others are kept in full")
    func strangers() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let letters = host.deadLetters(of: "scan-ingest", source: "/test")
        func letter(_ code: String, bytes: Int) throws -> DeadLettered {
            let record = StoredRecord(
                topic: Topic.scansInbound.name, partition: 0, offset: 0, appendedAtMicroseconds: 0,
                key: [1], value: [UInt8](repeating: 65, count: bytes), headers: LogHeaders())
            let made = letters.letter(SetAside(record, code: code, detail: ""))
            return try DeadLettered(json: made.value ?? [])
        }
        for code in ["token-missing", "token-wrong", "signature-wrong", "signature-stale"] {
            let cut = try letter(code, bytes: 100_000)
            #expect(cut.value?.count == 16_384 && cut.isCut && cut.stored == nil)
            #expect(try letter(code, bytes: 900).stored != nil)
        }
        #expect(try letter("quota-exceeded", bytes: 100_000).stored != nil)
        await host.log.close()
    }

    @Test("However many records are put back, each letter is read only as often as needed")
    func once() async throws {
        let bench = try await LocatorBench(.memory)
        let host = try bench.host()
        let log = CountingLog(host.log)
        for number in 0..<30 { try await log.append([Self.letter(number, bytes: 100)]) }
        var box = try await LetterBox(log)
        let known = box
        let topic = Topic.deadLetters.name
        let places = known.entries.sorted { $0.value.at < $1.value.at }.map(\.key)
        try await known.read(places, from: log) { _, letter in
            _ = try await host.putBack(letter, toProcessor: "locator", &box, through: log)
        }
        // Each letter is read for the index and to put it back; the new markers are read too.
        #expect(log.count <= 90)
        try await box.readOn(log, to: log.ranges(of: [topic]).mapValues(\.upperBound))
        #expect(places.allSatisfy { box.isPutBack($0) })
        #expect(try await bench.records(of: Topic.scans.name).count == 30)
        await log.close()
    }
}

/// Counts the records that are read from a log.
private final class CountingLog: ForwardingLog {
    private struct Reader: LogReader {
        let base: any LogReader
        let log: CountingLog

        func next(maximum: Int, wait: Duration) async throws(EventLogError) -> [StoredRecord] {
            let records = try await base.next(maximum: maximum, wait: wait)
            log.read.withLock { $0 += records.count }
            return records
        }

        func positions() async throws(EventLogError) -> [TopicPartition: Int64] {
            try await base.positions()
        }

        func close() async { await base.close() }
    }

    let base: any EventLog
    private let read = Mutex(0)

    init(_ base: any EventLog) { self.base = base }

    var count: Int { read.withLock { $0 } }

    func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader {
        Reader(base: try await base.reader(from: start), log: self)
    }
}
