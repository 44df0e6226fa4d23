import EventLog
import Postgres

/// Drops the tables that are past their topic's retention, creates those of the coming days, and
/// compacts. It drops first, because the other steps need the room. It works topic by topic, so
/// that one failing topic does not stop the others.
///
/// Processes alternate step by step. Each step is a transaction that begins by locking
/// `log.compactions`. Only sessions with rights to the log can block it. A stopped process blocks
/// it no longer than its transaction lives.
struct LogMaintenance {
    /// The number of records that one compaction transaction examines. Its work stays done when a
    /// later transaction fails.
    private static let compactedAtOnce: Int64 = 100_000

    /// Sessions that share this lock keep compaction out. Compaction never waits for it: it leaves
    /// out its turn.
    static let compactionLock = "whereabouts log compaction"
    static let longestStep = Duration.seconds(600)

    private static let turn = TableLock("log.compactions")

    /// Another process holds the lock.
    private struct Busy: Error {}

    private let database: PostgresConfiguration
    private let tombstoneMicroseconds: Int64
    private let patience: Duration

    init(_ settings: PostgresLogSettings) {
        var database = settings.database
        // The first compaction of a large topic takes long and may have to scan the table.
        database.statementTimeout = Self.longestStep
        database.settings["enable_seqscan"] = "on"
        database.settings["enable_bitmapscan"] = "on"
        database.settings["plan_cache_mode"] = "auto"
        self.database = database
        tombstoneMicroseconds = settings.tombstoneAge.microseconds
        patience = settings.maintenancePatience
    }

    private struct StoredTopic {
        var id: Int32
        var name: String
        var cleanup: String
        var partitions: Int32

        init(_ row: PostgresRow) throws {
            id = try row["id"]
            name = try row["name"]
            cleanup = try row["cleanup"]
            partitions = try row["partitions"]
        }
    }

    /// Runs one pass. If another process is at work, it waits for that process, or returns who it
    /// is.
    ///
    /// - Throws: when a part of the pass failed; the other parts are done.
    func run(waiting: Bool) async throws -> MaintenancePass {
        let connection = PostgresConnection(database)
        do {
            var pass = MaintenancePass.done
            do { try await run(waiting: waiting, connection) } catch is Busy {
                pass = .left(
                    to: try await Self.turn.holder(connection), state: try await state(connection))
            }
            await connection.close()
            return pass
        } catch {
            await connection.close()
            throw error
        }
    }

    /// A hash of the tables that passes change. Nil when another session's lock keeps us from
    /// reading them.
    private func state(_ connection: PostgresConnection) async throws -> String? {
        do {
            return try await connection.withTransaction { connection in
                try connection.execute(script: "SET LOCAL lock_timeout = '1s'")
                return try connection.query(
                    """
                    SELECT md5(concat(
                        (SELECT string_agg(c::text, ',' ORDER BY topic, partition)
                            FROM log.compactions c),
                        (SELECT string_agg(table_name, ',' ORDER BY table_name)
                            FROM log.spans))) AS state
                    """)[0]["state"]
            }
        } catch let error as PostgresError where error.isLockNotAvailable { return nil }
    }

    /// Runs one step in a transaction of its own.
    private func step<Result: Sendable>(
        _ waiting: Bool, _ connection: PostgresConnection,
        _ body: @Sendable (isolated PostgresConnection) throws -> Result
    ) async throws -> Result {
        try await connection.withTransaction { connection in
            do throws(PostgresError) {
                try Self.turn.acquire(connection, waiting: waiting)
            } catch {
                if error.isLockNotAvailable { throw Busy() }
                throw error
            }
            return try body(connection)
        }
    }

    private func run(waiting: Bool, _ connection: PostgresConnection) async throws {
        let topics = try await connection.query(
            "SELECT id, name, cleanup, partitions FROM log.topics ORDER BY id"
        ).map(StoredTopic.init)
        let ageing = topics.filter { $0.cleanup == "delete" }
        var failures = MaintenanceFailures()
        for topic in ageing {
            try await failures.note("Dropping old records of", topic.name) {
                try await dropExpired(topic.id, waiting, connection)
            }
        }
        for topic in ageing {
            try await failures.note("Creating the coming days' tables of", topic.name) {
                try await step(waiting, connection) { connection in
                    _ = try connection.query("SELECT log.extend($1)", [.int32(topic.id)])
                }
            }
        }
        for topic in topics where topic.cleanup == "compact" {
            for partition in 0..<topic.partitions {
                try await failures.note("Compacting", "\(topic.name)/\(partition)") {
                    try await compact(topic.id, partition, waiting, connection)
                }
            }
        }
        if let error = failures.error { throw error }
    }

    private func compact(
        _ topic: Int32, _ partition: Int32, _ waiting: Bool, _ connection: PostgresConnection
    ) async throws {
        var isMore = true
        while isMore {
            isMore = try await step(waiting, connection) { connection in
                guard try SessionLock.tryAcquire(Self.compactionLock, in: connection) else {
                    return false
                }
                return try connection.query(
                    "SELECT log.compact_piece($1, $2, $3, $4) AS more",
                    [
                        .int32(topic), .int32(partition), .int64(Self.compactedAtOnce),
                        .int64(tombstoneMicroseconds),
                    ])[0]["more"]
            }
        }
    }

    private func dropExpired(
        _ topic: Int32, _ waiting: Bool, _ connection: PostgresConnection
    ) async throws {
        let expired = try await connection.query(
            """
            SELECT s.table_name, s.ends_at < clock_timestamp() - make_interval(
                secs => (t.retention_microseconds + $2) / 1000000.0) AS is_overdue
            FROM log.spans s JOIN log.topics t ON t.id = s.topic
            WHERE s.topic = $1 AND s.ends_at < clock_timestamp()
                - make_interval(secs => t.retention_microseconds / 1000000.0)
            ORDER BY s.starts_at
            """, [.int32(topic), .int64(patience.microseconds)])
        // A table that can't be dropped does not stop the later ones.
        var failure: PostgresError?
        for span in expired {
            let table: String = try span["table_name"]
            do {
                // Another process may have dropped it in the meantime.
                for function in ["log.retire", "log.drop_span"] {
                    try await step(waiting, connection) { connection in
                        _ = try connection.query(
                            """
                            SELECT \(function)(topic, table_name) FROM log.spans
                            WHERE topic = $1 AND table_name = $2
                            """, [.int32(topic), .text(table)])
                    }
                }
            } catch let error as PostgresError where error.isLockNotAvailable {
                // A long-running reader holds the table. The next pass tries again.
                guard try span["is_overdue"], failure == nil else { continue }
                failure = try await blocked(table, of: topic, error, connection)
            } catch let error as PostgresError where !error.isConnectionLost {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// The error that names the session which keeps a table from being dropped. A reader of other
    /// days' tables holds only the topic's table.
    private func blocked(
        _ table: String, of topic: Int32, _ error: PostgresError,
        _ connection: PostgresConnection
    ) async throws -> PostgresError {
        for name in [table, "records_\(topic)"] {
            let reader = try await TableLock("log.\(name)")
                .holder(connection, includingReaders: true)
            guard let reader else { continue }
            return PostgresError(
                sqlState: error.sqlState,
                reason: "\(reader) has been reading log.\(name) for a long time, so "
                    + "log.\(table) can't be dropped: end it by pg_terminate_backend")
        }
        return PostgresError(
            sqlState: error.sqlState,
            reason: "log.\(table) can't be dropped, because some session uses it: "
                + "look for an old transaction in pg_stat_activity")
    }
}

/// Collects the failed parts of a pass.
struct MaintenanceFailures {
    /// The number of failures that are described in one sentence. Further ones are only mentioned.
    private static let namedAtMost = 5

    private var sentences: [String] = []
    private var first: EventLogError?

    /// Runs one part of the pass. Throws only errors that end the pass: the connection is lost, or
    /// another process holds the lock.
    mutating func note(
        _ work: String, _ part: String, _ body: () async throws -> Void
    ) async throws {
        do { try await body() } catch {
            if (error as? PostgresError)?.isConnectionLost ?? true { throw error }
            if sentences.count < Self.namedAtMost {
                sentences.append("\(work) \(part) failed (\(error))")
            } else if sentences.count == Self.namedAtMost {
                sentences.append("and more such failures")
            }
            first = first ?? EventLogError(error)
        }
    }

    /// All failures as one error. Nil when nothing failed.
    var error: EventLogError? {
        first.map { EventLogError($0.code, sentences.joined(separator: "; ")) }
    }
}
