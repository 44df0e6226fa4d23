public import EventLog
import FaultPoints
public import Postgres
public import Retrying

/// Events that were decided in PostgreSQL and wait to be appended to the log.
///
/// A command's version check, its rows and its event commit in one transaction. The relay claims
/// the oldest rows, appends them in that order and deletes them. Each event is appended at least
/// once, so consumers skip versions that they have already seen.
public struct Outbox: Sendable {
    /// The schema of PostgreSQL that holds its tables.
    public let schema: String
    /// The topics that nobody else writes, so that their ends show the events that were sent.
    /// Topics are left out whose records always come before a record of these.
    public let topics: [String]
    private let claimLimit: Duration
    private let largestRecord: @Sendable (_ topic: String) -> Int?

    /// - Parameters:
    ///   - topics: see the property.
    ///   - largestRecord: the limit in bytes for one record of a topic; nil where no limit is
    ///     known.
    ///   - claimLimit: how long a silent relay keeps other relays out. It is longer than the log
    ///     takes to refuse an append.
    public init(
        schema: String, topics: [String] = [],
        largestRecord: @escaping @Sendable (_ topic: String) -> Int?,
        claimLimit: Duration = .seconds(45)
    ) {
        self.schema = schema
        self.topics = topics
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

    /// Puts events into the outbox, inside the command's transaction. Throws `RecordTooLarge` for
    /// an event that the log would refuse. The command is then refused, because the event could
    /// never be relayed.
    public func put(_ records: [LogRecord], connection: isolated PostgresConnection) throws {
        var statements: [PostgresStatement] = []
        var bytes = 0
        for record in records {
            if let limit = largestRecord(record.topic), byteCount(record) > limit {
                throw RecordTooLarge(
                    topic: record.topic, byteCount: byteCount(record), limit: limit)
            }
            statements.append(insertion(of: record))
            bytes += record.byteCount
            guard bytes >= Self.bytesAtOnce || statements.count >= Self.recordsAtOnce else {
                continue
            }
            try connection.pipeline(statements)
            (statements, bytes) = ([], 0)
        }
        if !statements.isEmpty { try connection.pipeline(statements) }
    }

    /// A round trip ends with the record that reaches one of these.
    private static let recordsAtOnce = 1_000
    private static let bytesAtOnce = 1 << 20

    private func insertion(of record: LogRecord) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(schema).outbox (topic, key, value, headers) VALUES ($1, $2, $3, $4)",
            [
                .text(record.topic), .bytes(record.key),
                .optional(record.value, PostgresValue.bytes), .bytes(record.headers.encoded),
            ])
    }

    /// The bytes with the number that the relay adds.
    private func byteCount(_ record: LogRecord) -> Int {
        record.byteCount + OutboxNumber.byteCount(of: schema)
    }

    /// The pause of a relay that no bell wakes, or that waits for another one to let go.
    private static let briefPause = Duration.milliseconds(200)

    /// Appends waiting events repeatedly until the task is cancelled. Only one relay works at a
    /// time, across all processes.
    ///
    /// - Parameters:
    ///   - guarding: nothing is sent while the tables and the log do not fit; nil where nobody
    ///     compares them.
    ///   - interval: the pause between two looks. A look is two questions to PostgreSQL. With a
    ///     bell, the looks find only what another process has left.
    ///   - bell: wakes the relay at once.
    public func relay(
        log: any EventLog, pool: PostgresPool, guarding: OutboxGuard? = nil,
        every interval: Duration? = nil, bell: OutboxBell? = nil, notices: Notices
    ) async {
        let claim = OutboxClaim(schema, pool, limit: claimLimit)
        let interval = interval ?? (bell == nil ? Self.briefPause : .seconds(1))
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup { group in
            group.addTask {
                await relay(claim, guarding, log, wakes, notices)
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
        _ claim: OutboxClaim, _ guarding: OutboxGuard?, _ log: any EventLog,
        _ wakes: AsyncStream<Void>, _ notices: Notices
    ) async {
        var aside = OutboxAside(schema, notices)
        await attemptUntilDone("Relaying the outbox \(schema)", notices: notices) { retry in
            do {
                try await aside.look(claim)
                var turns = wakes.makeAsyncIterator()
                repeat {
                    repeat {
                        while try await relayOnce(claim, guarding, log, notices, &aside) {}
                        try await aside.look(claim)
                        retry.ended()
                    } while await hasPaused(claim)
                } while await turns.next() != nil
            } catch {
                await claim.letGo()
                throw error
            }
        }
        aside.forgotten()
        await claim.letGo()
    }

    /// Pauses briefly where events wait and another session has the lock. That session rings no
    /// bell when it lets go.
    ///
    /// - Returns: whether to look again; false if it did not pause.
    private func hasPaused(_ claim: OutboxClaim) async -> Bool {
        guard claim.isWaiting else { return false }
        try? await Task.sleep(for: Self.briefPause)
        return !Task.isCancelled
    }

    /// Appends the oldest events. Returns false when none waited or another relay is at work.
    ///
    /// No transaction is open during the append, which may take half a minute. If this machine
    /// vanishes meanwhile, only an idle session remains, and the server ends it.
    private func relayOnce(
        _ claim: OutboxClaim, _ guarding: OutboxGuard?, _ log: any EventLog, _ notices: Notices,
        _ aside: inout OutboxAside
    ) async throws -> Bool {
        if let guarding, !guarding.fits {
            // The command that makes them fit needs the claim.
            if claim.isClaimed { await claim.letGo() }
            return false
        }
        guard let claimed = try await claim.oldest(newest: guarding?.newest ?? 0),
            !claimed.rows.isEmpty
        else { return false }
        if let guarding, !guarding.admits(claimed.mark) {
            await claim.letGo()
            return false
        }
        let rows = claimed.rows
        // This process may have been stopped so long that another relay took over. Appending now
        // would put old events behind that relay's newer ones.
        guard claim.isFresh else { throw OutboxClaim.Lost() }
        for run in try OutboxRun.runs(of: rows) {
            guard claim.isFresh else { throw OutboxClaim.Lost() }
            do {
                try await log.append(run.rows.map(record))
            } catch {
                guard FaultCause(error) == .record else { throw error }
                aside.isDue = true
                try await relaySingly(run.rows, claim, guarding, log, notices)
                continue
            }
            FaultPoint.outboxAppended.reached()
            // Deletes exactly these rows. An event with a smaller id may have been committed
            // meanwhile, because a transaction gets its ids before its commit.
            let sent: [Int64] = try run.rows.map { try $0["id"] }
            sent.max().map { guarding?.appended($0) }
            try await claim.delete(sent)
        }
        return true
    }

    /// Appends the events one by one after a batch failed. An event that can't be relayed is set
    /// aside in full, with an alarm, and the others go on. No caller was refused, so an operator
    /// has to look.
    private func relaySingly(
        _ rows: [PostgresRow], _ claim: OutboxClaim, _ guarding: OutboxGuard?,
        _ log: any EventLog, _ notices: Notices
    ) async throws {
        for row in rows {
            let id: Int64 = try row["id"]
            guard claim.isFresh else { throw OutboxClaim.Lost() }
            do {
                try await log.append([record(row)])
                guarding?.appended(id)
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
        guard var headers = LogHeaders(encoded: encoded) else { throw UnreadableHeaders() }
        OutboxNumber.add(try row["id"], of: schema, to: &headers)
        return LogRecord(
            topic: try row["topic"], key: try row["key"], value: try row["value"],
            headers: headers)
    }
}

/// A command's event is larger than the log allows.
public struct RecordTooLarge: CausedFault, Hashable, CustomStringConvertible {
    public let topic: String
    public let byteCount: Int
    public let limit: Int

    public init(topic: String, byteCount: Int, limit: Int) {
        self.topic = topic
        self.byteCount = byteCount
        self.limit = limit
    }

    public var cause: FaultCause { .record }
    public var description: String { "an event has \(byteCount) bytes; \(topic) allows \(limit)" }
}

private struct UnreadableHeaders: CausedFault, CustomStringConvertible {
    let description = "the row's headers can't be read"
    var cause: FaultCause { .record }
}
