public import EventLog
import FaultPoints
public import Postgres

/// Events that were decided in PostgreSQL and wait to be appended to the log.
///
/// A command's version check, its rows and its event commit in one transaction; the relay appends
/// in the order of the decisions, at least once. Consumers skip versions that they have seen.
public struct Outbox: Sendable {
    private let schema: String

    public init(schema: String) { self.schema = schema }

    public var migration: Migrator.Step {
        Migrator.Step(
            "outbox",
            """
            CREATE TABLE \(schema).outbox (
                id bigserial PRIMARY KEY,
                topic text NOT NULL,
                key bytea NOT NULL,
                value bytea,
                headers bytea NOT NULL)
            """)
    }

    /// Puts events into the outbox, inside the command's transaction.
    public func put(_ records: [LogRecord], connection: isolated PostgresConnection) throws {
        for record in records {
            _ = try connection.query(
                """
                INSERT INTO \(schema).outbox (topic, key, value, headers) VALUES ($1, $2, $3, $4)
                """,
                [
                    .text(record.topic), .bytes(record.key),
                    .optional(record.value, PostgresValue.bytes), .bytes(record.headers.encoded),
                ])
        }
    }

    /// Appends what waits, again and again, until the task is cancelled. One relay works at a time.
    ///
    /// - Parameter bell: makes the relay look at once.
    public func relay(
        log: any EventLog, pool: PostgresPool, every interval: Duration = .milliseconds(200),
        bell: OutboxBell? = nil, notices: Notices
    ) async {
        await withTaskGroup { group in
            group.addTask { await relayInTurn(log: log, pool: pool, interval, notices) }
            guard let bell else { return }
            group.addTask {
                for await _ in bell.rings {
                    // What fails here fails in turn too, and is reported there.
                    while (try? await relayOnce(log: log, pool: pool, isPatient: true)) == true {}
                }
            }
        }
    }

    private func relayInTurn(
        log: any EventLog, pool: PostgresPool, _ interval: Duration, _ notices: Notices
    ) async {
        await attemptUntilDone("Relaying the outbox \(schema)", notices: notices) { outage in
            while !Task.isCancelled {
                while try await relayOnce(log: log, pool: pool) {}
                outage.ended()
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Appends the oldest events; false when none waited or another relay is at work.
    ///
    /// - Parameter isPatient: waits for the other relay, which may have looked before the last event came.
    func relayOnce(
        log: any EventLog, pool: PostgresPool, isPatient: Bool = false
    ) async throws -> Bool {
        try await pool.withTransaction { connection in
            guard try lock(isPatient: isPatient, connection: connection) else { return false }
            let rows = try connection.query(
                "SELECT id, topic, key, value, headers FROM \(schema).outbox ORDER BY id LIMIT 100")
            guard !rows.isEmpty else { return false }
            try await log.append(rows.map(record))
            FaultPoint.outboxAppended.reached()
            // These and no others: an event with a smaller id may have been committed meanwhile, for ids
            // are given when a transaction writes and not when it commits.
            let appended: [Int64] = try rows.map { try $0["id"] }
            _ = try connection.query(
                "DELETE FROM \(schema).outbox WHERE id = ANY ($1)", [.int64Array(appended)])
            return true
        }
    }

    /// Keeps other relays away until the transaction ends; false when one is at work and is not waited
    /// for.
    private func lock(
        isPatient: Bool, connection: isolated PostgresConnection
    ) throws -> Bool {
        let name = [PostgresValue.text("whereabouts outbox \(schema)")]
        guard !isPatient else {
            try connection.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", name)
            return true
        }
        let rows = try connection.query(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine", name)
        return try rows.first.map { try $0["mine"] } ?? false
    }

    private func record(_ row: PostgresRow) throws -> LogRecord {
        let encoded: [UInt8] = try row["headers"]
        guard let headers = LogHeaders(encoded: encoded) else {
            throw EventLogError(.other, "the outbox \(schema) holds headers that are not headers")
        }
        return LogRecord(
            topic: try row["topic"], key: try row["key"], value: try row["value"],
            headers: headers)
    }
}
