import EventLog
import LogViews
import Postgres
import Synchronization
import TestSupport
import Testing

@Suite(
    .serialized, .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct OutboxRunTests {
    private let outbox = Outbox(schema: "decisions", largestRecord: DeadLetters.test.largestRecord)

    private func prepare(_ fixture: Fixture) async throws {
        try await fixture.pool.withConnection { connection in
            _ = try await Migrator(
                schema: "decisions",
                steps: [
                    Migrator.Step("schema", "CREATE SCHEMA decisions"), outbox.migration,
                    outbox.markMigration,
                ]
            ).migrate(connection)
        }
    }

    private func relayed(
        _ records: [LogRecord], _ fixture: Fixture
    ) async throws -> [[LogRecord]] {
        try await fixture.pool.withTransaction { connection in
            try outbox.put(records, connection: connection)
        }
        let noting = NotingLog(fixture.log)
        let relay = Task {
            await outbox.relay(
                log: noting, pool: fixture.pool, every: .milliseconds(10),
                notices: .recordingIssues)
        }
        #expect(
            try await eventually {
                try await fixture.pool.query("SELECT 1 FROM decisions.outbox").isEmpty
            })
        relay.cancel()
        await relay.value
        return noting.appends
    }

    /// The record as it was before the relay numbered it.
    private func withoutNumber(_ record: LogRecord) -> LogRecord {
        LogRecord(topic: record.topic, key: record.key, value: record.value)
    }

    @Test("Events of another topic, and tombstones, are appended only after those before them")
    func runs() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        func record(_ topic: String, _ key: UInt8, _ value: [UInt8]?) -> LogRecord {
            LogRecord(topic: topic, key: [key], value: value)
        }
        let records = [
            record("in", 1, [1]), record("in", 2, [1]), record("out", 1, [1]),
            record("in", 1, nil), record("in", 2, nil), record("in", 1, [2]),
            record("out", 1, [2]),
        ]
        let appends = try await relayed(records, fixture)
        #expect(appends.map(\.count) == [2, 1, 2, 1, 1])
        #expect(appends.flatMap(\.self).map(withoutNumber) == records)
        await fixture.close()
    }

    @Test("Large events are appended a few at a time, and one above the limit alone")
    func bytes() async throws {
        let fixture = try await Fixture()
        try await prepare(fixture)
        let records = (0..<100).map { number in
            LogRecord(
                topic: "out", key: [UInt8(number)], value: [UInt8](repeating: 7, count: 90_000))
        }
        let appends = try await relayed(records, fixture)
        #expect(appends.flatMap(\.self).map(withoutNumber) == records)
        #expect(appends.allSatisfy { $0.reduce(0) { $0 + $1.byteCount } < 4_100_000 })
        #expect(appends.count == 3)
        await fixture.close()
    }
}

/// Notes the appends that go to another log.
private final class NotingLog: ForwardingLog {
    private let noted = Mutex<[[LogRecord]]>([])
    let base: any EventLog

    init(_ base: any EventLog) { self.base = base }

    var appends: [[LogRecord]] { noted.withLock { $0 } }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        noted.withLock { $0.append(records) }
        base.append(records, completion: completion)
    }
}
