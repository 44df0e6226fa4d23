import EventLog
import Postgres

/// Drops the tables that are past their topic's retention, makes those of the coming days, and
/// compacts. In this order, since dropping makes the room that the others need; topic by topic, so
/// that one that fails does not stop the others.
///
/// Processes take turns, step by step: each step is a transaction that first takes the lock of
/// `log.compactions`, so that nobody without rights to the log keeps them from it, and no process
/// that is stopped for longer than its transaction lives.
struct LogMaintenance {
    /// Records that one transaction of a compaction looks at. What it has done stays done when a
    /// later one fails.
    private static let compactedAtOnce: Int64 = 100_000

    private static let turn = TableLock("log.compactions")

    /// Another process is at it.
    private struct Busy: Error {}

    private let database: PostgresConfiguration
    private let tombstoneMicroseconds: Int64
    private let patience: Duration

    init(_ settings: PostgresLogSettings) {
        var database = settings.database
        // A first compaction of a large topic takes its time, and may scan.
        database.statementTimeout = .seconds(600)
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

    /// One pass. When another process is at it, waits for it, or leaves the work to it and gives
    /// who it is.
    /// - Throws: when all is done that could be, and something could not.
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

    /// A hash of the tables that passes change; nil where another session lets nobody read them.
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

    /// One step, in a transaction of its own.
    private func step<Result: Sendable>(
        _ waiting: Bool, _ connection: PostgresConnection,
        _ body: @Sendable (isolated PostgresConnection) throws -> Result
    ) async throws -> Result {
        try await connection.withTransaction { connection in
            do throws(PostgresError) {
                try Self.turn.take(connection, within: waiting ? nil : .zero)
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
            try await failures.note("Dropping what is old of", topic.name) {
                try await dropExpired(topic.id, waiting, connection)
            }
        }
        for topic in ageing {
            try await failures.note("Making the coming days' tables of", topic.name) {
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
                try connection.query(
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
        // One that is stuck does not keep the later ones.
        var failure: PostgresError?
        for span in expired {
            let table: String = try span["table_name"]
            do {
                // Another process may have dropped it since.
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
                // A long reader holds the table; the next pass tries again.
                guard try span["is_overdue"], failure == nil else { continue }
                failure = try await blocked(table, of: topic, error, connection)
            } catch let error as PostgresError where !error.isConnectionLost {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Says who keeps a table from being dropped. A reader of other days has the topic's table
    /// alone.
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
                reason: "\(reader) has read log.\(name) for long and still does, and "
                    + "log.\(table) can't be dropped: end it by pg_terminate_backend")
        }
        return PostgresError(
            sqlState: error.sqlState,
            reason: "log.\(table) can't be dropped, and it is not known who keeps it: "
                + "look for an old transaction in pg_stat_activity")
    }
}

/// What a pass could not do.
struct MaintenanceFailures {
    /// Named in one sentence at most; the others are counted.
    private static let namedAtMost = 5

    private var sentences: [String] = []
    private var first: EventLogError?

    /// Does a part of the pass. Throws only what ends the pass: the connection is gone, or another
    /// process is at it.
    mutating func note(
        _ work: String, _ part: String, _ body: () async throws -> Void
    ) async throws {
        do { try await body() } catch {
            if (error as? PostgresError)?.isConnectionLost ?? true { throw error }
            if sentences.count < Self.namedAtMost {
                sentences.append("\(work) \(part) failed (\(error))")
            } else if sentences.count == Self.namedAtMost {
                sentences.append("and more of the kind")
            }
            first = first ?? EventLogError(error)
        }
    }

    /// Nil when nothing failed.
    var error: EventLogError? {
        first.map { EventLogError($0.code, sentences.joined(separator: "; ")) }
    }
}
