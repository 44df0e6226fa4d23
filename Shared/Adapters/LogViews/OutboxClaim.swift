import EventLog
import Postgres
import Synchronization

/// The right to relay an outbox: a session lock, on a connection that does nothing else.
///
/// The lock ends with the session. So when a relay's process ends, another relay can go on at once.
/// If the process is stopped or its machine vanishes, the server ends the session after `limit` of
/// silence. The lock belongs to no transaction, because that would stay open during the append.
final class OutboxClaim: Sendable {
    /// This relay was silent so long that another one may have taken over.
    struct Lost: Error, CustomStringConvertible {
        let description = "the relay was stopped for too long, and another one may have taken over"
    }

    /// Another session holds the lock but relays nothing. An advisory lock needs no rights, so any
    /// session can hold it.
    struct Held: CausedFault, CustomStringConvertible {
        let schema: String
        var cause: FaultCause { .world }
        var description: String {
            "another session has held the lock of \(schema).outbox for over a minute and relays "
                + "nothing: look for it in pg_locks"
        }
    }

    /// The number of rows that are read at once.
    private static let batch = 100
    /// The bytes of values that are read at once. A larger event is read alone.
    private static let batchBytes = 4_000_000

    private let schema: String
    private let connection: PostgresConnection
    private let limit: Duration
    /// Whether this session may have the lock.
    private let isLocked = Mutex(false)
    private let claimedAt = Mutex<ContinuousClock.Instant?>(nil)
    /// How long the same event may be the oldest while another session has the lock. It is longer
    /// than an append takes.
    private static let patience = Duration.seconds(60)
    private let waiting = Mutex<(oldest: Int64, since: ContinuousClock.Instant)?>(nil)

    init(_ schema: String, _ pool: PostgresPool, limit: Duration) {
        self.schema = schema
        self.limit = limit
        connection = pool.separateConnection(settings: [
            "idle_session_timeout": "\(limit.components.seconds * 1_000)"
        ])
    }

    /// Claims the outbox and returns its oldest rows. Nil when another relay has the lock. An empty
    /// outbox releases the claim.
    ///
    /// - Parameter newest: the number for the mark's `waits`.
    /// - Throws: `Held` when the session with the lock does nothing.
    func oldest(newest: Int64) async throws -> (rows: PostgresRows, mark: OutboxMark)? {
        guard try await hasEvents() else {
            waiting.withLock { $0 = nil }
            return nil
        }
        let asked = ContinuousClock.now
        let results = try await connection.pipeline([
            PostgresStatement(
                "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine",
                [.text("whereabouts outbox \(schema)")]),
            PostgresStatement(
                """
                SELECT id, topic, key, value, headers FROM (
                    SELECT *, sum(octet_length(value)) OVER (ORDER BY id) AS bytes,
                        row_number() OVER (ORDER BY id) AS number
                    FROM (SELECT * FROM \(schema).outbox ORDER BY id LIMIT \(Self.batch)) oldest
                ) summed
                WHERE number = 1 OR coalesce(bytes, 0) <= \(Self.batchBytes) ORDER BY id
                """),
            Outbox.markStatement(schema, number: newest),
        ])
        let isMine: Bool = try results[0][0]["mine"]
        isLocked.withLock { $0 = isMine }
        guard isMine else {
            try checkMoves(results[1].first.map { try $0["id"] })
            return nil
        }
        waiting.withLock { $0 = nil }
        claimedAt.withLock { $0 = asked }
        if results[1].isEmpty { try await giveUp() }
        return (results[1], try Outbox.mark(results[2]))
    }

    /// Whether events may wait. Without the lock it only looks, which costs a quarter of a claim:
    /// an outbox is nearly always empty, and is looked at each second.
    private func hasEvents() async throws -> Bool {
        if isLocked.withLock({ $0 }) { return true }
        return try await connection.query(
            "SELECT EXISTS (SELECT FROM \(schema).outbox) AS waits")[0]["waits"]
    }

    /// Releases the claim. Claims of one session add up, so it releases all of them. It closes a
    /// session that a large event has made large.
    private func giveUp() async throws {
        isLocked.withLock { $0 = false }
        if await connection.isWorthKeeping {
            try await connection.query("SELECT pg_advisory_unlock_all()")
        } else {
            await connection.close()
        }
    }

    private func checkMoves(_ oldest: Int64?) throws {
        let isHeld = waiting.withLock { waiting in
            guard let oldest else {
                waiting = nil
                return false
            }
            guard let before = waiting, before.oldest == oldest else {
                waiting = (oldest, .now)
                return false
            }
            return .now - before.since > Self.patience
        }
        if isHeld { throw Held(schema: schema) }
    }

    /// Whether events wait and another session has the lock.
    var isWaiting: Bool { waiting.withLock { $0 != nil } }

    /// Whether no other relay can have taken over yet.
    var isFresh: Bool {
        claimedAt.withLock { $0 }.map { .now - $0 < limit / 2 } ?? false
    }

    /// Deletes the appended events, and notes that they are on the log. This is right even if the
    /// session was lost meanwhile: another relay then appends them once more at worst.
    func delete(_ appended: [Int64]) async throws {
        guard let newest = appended.max() else { return }
        try await connection.query(
            """
            WITH sent AS (DELETE FROM \(schema).outbox WHERE id = ANY ($1))
            UPDATE \(schema).outbox_mark SET sent = $2 WHERE sent < $2
            """, [.int64Array(appended), .int64(newest)])
    }

    /// Moves a complete event that can't be relayed to a table beside the outbox.
    func setAside(_ id: Int64, reason: String) async throws {
        try await connection.withTransaction { [schema] connection in
            try connection.execute(
                script: """
                    CREATE TABLE IF NOT EXISTS \(schema).outbox_set_aside (
                        id bigint PRIMARY KEY, topic text NOT NULL, key bytea NOT NULL, value bytea,
                        headers bytea NOT NULL, reason text NOT NULL,
                        at timestamptz NOT NULL DEFAULT clock_timestamp())
                    """)
            try connection.query(
                """
                WITH row AS (DELETE FROM \(schema).outbox WHERE id = $1 RETURNING *)
                INSERT INTO \(schema).outbox_set_aside (id, topic, key, value, headers, reason)
                SELECT id, topic, key, value, headers, $2 FROM row
                """, [.int64(id), .text(reason)])
        }
    }

    /// The number of events set aside, including those of earlier processes, and the first one's
    /// reason. Nil when there are none.
    func inspectAside() async throws -> (count: Int64, reason: String)? {
        let isThere: Bool = try await connection.query(
            "SELECT to_regclass($1) IS NOT NULL AS is_there", [.text("\(schema).outbox_set_aside")]
        )[0]["is_there"]
        guard isThere else { return nil }
        return try await connection.query(
            """
            SELECT count(*) OVER () AS count, reason FROM \(schema).outbox_set_aside
            ORDER BY id LIMIT 1
            """
        ).first.map { try ($0["count"], $0["reason"]) }
    }

    /// Whether this relay may keep others out.
    var isClaimed: Bool { claimedAt.withLock { $0 != nil } }

    func letGo() async {
        isLocked.withLock { $0 = false }
        claimedAt.withLock { $0 = nil }
        await connection.close()
    }
}
