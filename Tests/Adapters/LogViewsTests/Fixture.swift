import EventLog
import LogViews
import MemoryLog
import Postgres
import PostgresLog
import Retrying
import Synchronization
import TestSupport
import Testing

/// A log with the topics `in`, `out` and `state` of two partitions each, and a database, also the
/// log's if it needs one.
struct Fixture {
    enum Kind: CaseIterable, Sendable {
        case memory, postgres

        static let available = allCases.filter { kind in
            guard kind == .postgres, let obstacle = PrivatePostgres.obstacle else { return true }
            print("skipped: on PostgreSQL, \(obstacle)")
            return false
        }
    }

    let database: PostgresConfiguration
    let pool: PostgresPool
    let log: any EventLog

    init(on server: PrivatePostgres? = nil) async throws {
        let database = try await (server ?? PrivatePostgres.shared()).makeDatabase()
        try await self.init(database, PostgresLog(PostgresLogSettings(database)))
    }

    /// A log in memory, and the views on the server.
    init(viewsOn server: PrivatePostgres) async throws {
        try await self.init(server.makeDatabase(), MemoryLog())
    }

    init(_ kind: Kind) async throws {
        switch kind {
        case .memory: try await self.init(PostgresConfiguration("host=/nowhere"), MemoryLog())
        case .postgres: try await self.init()
        }
    }

    private init(_ database: PostgresConfiguration, _ log: any EventLog) async throws {
        self.database = database
        self.log = log
        pool = PostgresPool(database)
        try await log.createTopics(
            ["in", "out", "letters"].map {
                TopicSpecification(
                    name: $0, partitions: 2, cleanup: .delete(after: .seconds(86_400)))
            } + [TopicSpecification(name: "state", partitions: 2, cleanup: .compact)])
    }

    func append(_ values: [String], topic: String = "in") async throws {
        try await log.append(
            values.map { LogRecord(topic: topic, key: Array($0.utf8), value: Array($0.utf8)) })
    }

    /// All values of a topic, partition by partition.
    func values(of topic: String) async throws -> [String] {
        var values: [String] = []
        try await log.readRange(log.ranges(of: [topic])) { records in
            values += records.map { String(decoding: $0.value ?? [], as: UTF8.self) }
        }
        return values
    }

    /// The values in `<schema>.seen`, sorted.
    func seen(schema: String = "seen_view") async throws -> [String] {
        try await pool.query("SELECT value FROM \(schema).seen ORDER BY value").map { try $0[0] }
    }

    func close() async {
        await log.close()
        await pool.close()
    }
}

/// A view with one row for each record.
struct SeenView: View {
    let name = "seen"
    let schema = "seen_view"
    let topics = ["in"]
    /// Runs in the middle of each transaction.
    var pause: @Sendable () async -> Void = {}

    func migrations(schema: String) -> [Migrator.Step] {
        [Migrator.Step("seen", "CREATE TABLE \(schema).seen (value text NOT NULL)")]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        let values = records.map { String(decoding: $0.value ?? [], as: UTF8.self) }
        try connection.query(
            "INSERT INTO \(schema).seen SELECT * FROM unnest($1::text[])", [.textArray(values)])
        await pause()
        return []
    }
}

extension DeadLetters {
    /// Dead letters on the topic `letters`: their value is the reason and the record. The sender is
    /// the value's part before a dash, and its first letter is the site.
    static let test = DeadLetters(
        letter: { fault in
            let record = fault.record
            return LogRecord(
                topic: "letters",
                key: Array("\(record.topic)/\(record.partition)/\(record.offset)".utf8),
                value: Array("\(fault.code) ".utf8) + (record.value ?? []))
        },
        sender: { record in
            let name = String(decoding: record.value ?? [], as: UTF8.self).prefix { $0 != "-" }
            return RecordSender(site: name.first.map(String.init), name: String(name))
        },
        largestRecord: { $0 == "out" ? 100_000 : nil })
}

extension ProcessorOutputs {
    /// Copies each record to the topic `out`.
    init(copying records: [StoredRecord]) {
        self.init()
        for record in records {
            append(
                LogRecord(
                    topic: "out", partition: record.partition, key: record.key ?? [],
                    value: record.value), for: record)
        }
    }
}

extension Notices {
    static let ignored = Notices(onUnexpected: { _ in }, onRecovery: { _ in })
    static let recordingIssues = Notices(
        onUnexpected: { Issue.record("\($0)") }, onRecovery: { Issue.record("\($0)") })
}

/// Waits until the condition holds, for half a minute at most. Returns whether it holds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<600 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(50))
    }
    return false
}
