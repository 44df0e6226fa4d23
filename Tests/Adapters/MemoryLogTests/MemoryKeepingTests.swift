import EventLog
import MemoryLog
import SeededRandomness
import Synchronization
import Testing

@Suite("How the log in memory keeps records")
struct MemoryKeepingTests {
    private let time = TestTime()
    private let server: MemoryLogServer
    private let log: MemoryLog

    init() {
        let time = time
        server = MemoryLogServer(tombstoneAge: .seconds(10), now: { time.now })
        log = MemoryLog(server)
    }

    private func all(_ topic: String) async throws -> [StoredRecord] {
        var records: [StoredRecord] = []
        try await log.readRange(try await log.ranges(of: [topic])) { records += $0 }
        return records
    }

    @Test(
        "compaction leaves the newest record of each key, as a dictionary would", arguments: 0..<9)
    func compaction(_ seed: UInt64) async throws {
        try await log.createTopics([.init(name: "site", partitions: 2, cleanup: .compact)])
        var random = SeededRandom(seed: seed)
        var newest: [String: String] = [:]
        for number in 0..<100 {
            let key = "room-\(Int.random(in: 0..<12, using: &random))"
            newest[key] = "\(number)"
            try await log.append([LogRecord("site", key, "\(number)")])
            if number % 17 == 0 { try server.compact() }
        }
        try server.compact()
        let kept = try await all("site")
        #expect(
            Dictionary(uniqueKeysWithValues: kept.map { (text($0.key), text($0.value)) }) == newest)
        #expect(try await log.bounds(of: "site").reduce(0) { $0 + $1.end } == 100)
    }

    @Test(
        "a tombstone removes its key at once, and later itself unless it is the last record")
    func tombstones() async throws {
        try await log.createTopics([.init(name: "site", partitions: 1, cleanup: .compact)])
        for (key, value) in [("a", "1"), ("b", "1"), ("a", nil)] {
            try await log.append([LogRecord("site", key, value)])
        }
        time.pass(.seconds(11))
        try server.compact()
        #expect(try await all("site").map { text($0.key) } == ["b", "a"])
        try await log.append([LogRecord("site", "c", "1")])
        try server.compact()
        #expect(try await all("site").map { text($0.key) } == ["b", "c"])
    }

    @Test(
        "retention removes old records; offsets go on, and old offsets are out of range"
    )
    func retention() async throws {
        try await log.createTopics([
            .init(name: "scans", partitions: 1, cleanup: .delete(after: .seconds(60)))
        ])
        let place = TopicPartition("scans", 0)
        try await log.append((0..<5).map { LogRecord("scans", "k", "\($0)") })
        let reader = try await log.reader(from: [place: 0])
        #expect(try await reader.next(maximum: 2, wait: .zero).count == 2)
        time.pass(.seconds(60))
        #expect(try await log.bounds(of: "scans") == [PartitionBounds(start: 0, end: 5)])
        time.pass(.seconds(1))
        #expect(try await log.bounds(of: "scans") == [PartitionBounds(start: 5, end: 5)])
        await #expect(throws: EventLogError.self) {
            _ = try await reader.next(maximum: 1, wait: .zero)
        }
        try await log.append([LogRecord("scans", "k", "new")])
        #expect(try await all("scans").map(\.offset) == [5])
    }

    @Test("an append with one refused record appends none of its records")
    func allOrNone() async throws {
        try await log.createTopics([.init(name: "site", partitions: 1, cleanup: .forever)])
        await #expect(throws: EventLogError.self) {
            try await log.append([
                LogRecord("site", "a", "1"), LogRecord(topic: "nowhere", key: [], value: []),
            ])
        }
        #expect(try await all("site").isEmpty)
    }

    @Test("while the server is away, calls fail and no member counts as silent")
    func away() async throws {
        try await log.createTopics([.init(name: "scans", partitions: 2, cleanup: .forever)])
        let member = try await log.join(group: "g", topics: ["scans"])
        _ = try await member.poll(maximum: 1, wait: .zero)
        server.goAway()
        await #expect(throws: EventLogError.self) { _ = try await log.bounds(of: "scans") }
        await #expect(throws: EventLogError.self) {
            try await log.append([LogRecord("scans", "k", "v")])
        }
        time.pass(.seconds(3_600))
        server.comeBack()
        let other = try await log.join(group: "g", topics: ["scans"])
        guard case .records([]) = try await other.poll(maximum: 1, wait: .zero) else {
            Issue.record("it was given a partition that the first member still has")
            return
        }
        try await member.commit([], next: [TopicPartition("scans", 0): 0])
    }
}

/// A clock that moves only when a test moves it.
final class TestTime: Sendable {
    private let microseconds = Mutex<Int64>(1_700_000_000_000_000)

    var now: Int64 { microseconds.withLock { $0 } }

    func pass(_ duration: Duration) {
        microseconds.withLock { $0 += duration.components.seconds * 1_000_000 }
    }
}

func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

extension LogRecord {
    init(_ topic: String, _ key: String, _ value: String?) {
        self.init(topic: topic, key: Array(key.utf8), value: value.map { Array($0.utf8) })
    }
}
