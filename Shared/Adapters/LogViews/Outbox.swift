public import EventLog
import FaultPoints
public import Postgres
public import Retrying

/// Events that were decided in PostgreSQL and wait to be appended to the log.
///
/// A command's version check, its rows and its event commit in one transaction; the relay appends
/// in the order of the decisions, at least once: it claims the oldest rows, appends them, and
/// deletes them. Consumers skip versions that they have seen.
public struct Outbox: Sendable {
    private let schema: String
    private let claimLimit: Duration
    private let largestRecord: @Sendable (_ topic: String) -> Int?

    /// - Parameters:
    ///   - largestRecord: bytes of the largest record of a topic; nil where no limit is known.
    ///   - claimLimit: how long a relay that is not heard of keeps others away; longer than the
    ///     log takes to refuse an append.
    public init(
        schema: String, largestRecord: @escaping @Sendable (_ topic: String) -> Int?,
        claimLimit: Duration = .seconds(45)
    ) {
        self.schema = schema
        self.largestRecord = largestRecord
        self.claimLimit = claimLimit
    }

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

    /// Puts events into the outbox, inside the command's transaction. Throws `RecordTooLarge`, so
    /// that the command is refused, for what the log would not take: it could never be relayed.
    public func put(_ records: [LogRecord], connection: isolated PostgresConnection) throws {
        for record in records {
            if let limit = largestRecord(record.topic), record.byteCount > limit {
                throw RecordTooLarge(
                    topic: record.topic, byteCount: record.byteCount, limit: limit)
            }
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

    /// Appends what waits, again and again, until the task is cancelled. One relay works at a time,
    /// whichever process it is in.
    ///
    /// - Parameter bell: makes the relay look at once.
    public func relay(
        log: any EventLog, pool: PostgresPool, every interval: Duration = .milliseconds(200),
        bell: OutboxBell? = nil, notices: Notices
    ) async {
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup { group in
            group.addTask {
                await relay(
                    OutboxClaim(schema, pool, limit: claimLimit), log, wakes, notices)
            }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: interval)
                    wake.yield()
                }
            }
            guard let bell else { return }
            group.addTask { for await _ in bell.rings { wake.yield() } }
        }
    }

    private func relay(
        _ claim: OutboxClaim, _ log: any EventLog, _ wakes: AsyncStream<Void>, _ notices: Notices
    ) async {
        var aside = OutboxAside(schema, notices)
        await attemptUntilDone("Relaying the outbox \(schema)", notices: notices) { retry in
            do {
                try await aside.look(claim)
                while try await relayOnce(claim, log, notices, &aside) {}
                retry.ended()
                for await _ in wakes {
                    while try await relayOnce(claim, log, notices, &aside) {}
                    try await aside.look(claim)
                    retry.ended()
                }
            } catch {
                await claim.letGo()
                throw error
            }
        }
        aside.forgotten()
        await claim.letGo()
    }

    /// Appends the oldest events; false when none waited or another relay is at work.
    ///
    /// No transaction is open while the log is asked, which may take half a minute: what a machine
    /// leaves behind that vanishes meanwhile is an idle session, and the server ends that.
    private func relayOnce(
        _ claim: OutboxClaim, _ log: any EventLog, _ notices: Notices, _ aside: inout OutboxAside
    ) async throws -> Bool {
        guard let rows = try await claim.oldest(), !rows.isEmpty else { return false }
        // This process may have been stopped for so long that another relay has gone on, and what
        // it has appended must not be overtaken by what it appended first.
        guard claim.isFresh else { throw OutboxClaim.Lost() }
        do {
            try await log.append(rows.map(record))
        } catch {
            guard FaultCause(error) == .record else { throw error }
            aside.isDue = true
            try await relaySingly(rows, claim, log, notices)
            return true
        }
        FaultPoint.outboxAppended.reached()
        // These and no others: an event with a smaller id may have been committed meanwhile, for
        // ids are given when a transaction writes and not when it commits.
        try await claim.delete(rows.map { try $0["id"] })
        return true
    }

    /// One of them can't be relayed: it goes aside, whole and loudly, and the others go on. It is
    /// no event that anybody was refused, so somebody has to look.
    private func relaySingly(
        _ rows: PostgresRows, _ claim: OutboxClaim, _ log: any EventLog, _ notices: Notices
    ) async throws {
        for row in rows {
            let id: Int64 = try row["id"]
            guard claim.isFresh else { throw OutboxClaim.Lost() }
            do {
                try await log.append([record(row)])
                try await claim.delete([id])
            } catch {
                guard FaultCause(error) == .record else { throw error }
                try await claim.setAside(id, reason: "\(error)")
                notices.onUnexpected(
                    "Event \(id) of the outbox is in \(schema).outbox_set_aside: \(error)")
            }
        }
    }

    private func record(_ row: PostgresRow) throws -> LogRecord {
        let encoded: [UInt8] = try row["headers"]
        guard let headers = LogHeaders(encoded: encoded) else { throw UnreadableHeaders() }
        return LogRecord(
            topic: try row["topic"], key: try row["key"], value: try row["value"],
            headers: headers)
    }
}

/// A command would make an event that the log does not take.
public struct RecordTooLarge: CausedFault, Hashable, CustomStringConvertible {
    public let topic: String
    public let byteCount: Int
    public let limit: Int

    public var cause: FaultCause { .record }
    public var description: String { "\(topic) takes \(limit) bytes, and this is \(byteCount)" }
}

private struct UnreadableHeaders: CausedFault, CustomStringConvertible {
    let description = "the row's headers are no headers"
    var cause: FaultCause { .record }
}
