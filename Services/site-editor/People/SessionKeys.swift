import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import Retrying
import ServiceHost
import Synchronization
import Wire

/// The keys that sign sessions. The secret halves stay in site-editor's tables. The public halves
/// go to the topic `tokens`, so that every process can check a session by itself.
///
/// A new key is made each day. The previous key stays valid as long as its sessions can last, so
/// two keys are valid around the change.
final class SessionKeys: Sendable {
    private static let signingHours: Int64 = 24
    /// Hours for which a key can check sessions: a session that it signed last is over after that.
    private static let checkingHours = signingHours + SessionValue.longestHours
    private static let lookEvery = Duration.seconds(60)

    private struct Key {
        var id: String
        var pair: Ed25519.KeyPair
        var madeAt: Timestamp
    }

    private let pool: PostgresPool
    private let bell: OutboxBell
    private let current = Mutex<Key?>(nil)

    init(pool: PostgresPool, bell: OutboxBell) {
        self.pool = pool
        self.bell = bell
    }

    /// Makes and ends keys in time, until the task is cancelled.
    func keep(_ clock: EventClock, _ notices: Notices) async {
        while !Task.isCancelled {
            await attemptUntilDone("Keeping the keys of sessions", notices: notices) { _ in
                try await self.renew(at: clock.now)
            }
            try? await Task.sleep(for: Self.lookEvery)
        }
    }

    /// Makes a new key if the present one is due.
    func renew(at moment: Timestamp) async throws {
        let key: Key = try await pool.withTransaction { connection in
            // Several processes of site-editor sign with the same key.
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended('session-keys', 4))")
            try Self.endOld(at: moment, connection: connection)
            let newest = try connection.query(
                """
                SELECT id, secret, made_at FROM site_editor.session_keys
                ORDER BY made_at DESC LIMIT 1
                """
            ).first
            if let newest, let key = try Self.read(newest),
                moment < key.madeAt.advanced(byHours: Self.signingHours)
            {
                return key
            }
            return try Self.make(at: moment, connection: connection)
        }
        current.withLock { $0 = key }
        bell.ring()
    }

    /// The cookie's value for a session; nil until the first key is made.
    func text(of session: SessionValue) -> String? {
        current.withLock { $0 }.map { key in
            session.text(key: key.id) { key.pair.signature(of: $0) }
        }
    }

    private static func read(_ row: PostgresRow) throws -> Key? {
        let secret: [UInt8] = try row["secret"]
        guard let pair = Ed25519.KeyPair(secretKey: secret) else { return nil }
        return Key(
            id: try row["id"], pair: pair, madeAt: Timestamp(microseconds: try row["made_at"]))
    }

    private static func make(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws -> Key {
        let pair = Ed25519.KeyPair()
        let publicKey = hexadecimal(pair.publicKey)
        let made = SessionKeyMade(
            id: String(publicKey.prefix(16)), publicKey: publicKey, madeAt: moment)
        try connection.query(
            "INSERT INTO site_editor.session_keys (id, secret, made_at) VALUES ($1, $2, $3)",
            [
                .text(made.id), .bytes(pair.secretKey),
                .timestamp(microseconds: moment.microseconds),
            ])
        try SiteEditorSchema.outbox.put(
            [made.record(source: SiteEditorSchema.source)], connection: connection)
        return Key(id: made.id, pair: pair, madeAt: moment)
    }

    private static func endOld(
        at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        let limit = moment.advanced(byHours: -checkingHours)
        let ended = try connection.query(
            "DELETE FROM site_editor.session_keys WHERE made_at < $1 RETURNING id",
            [.timestamp(microseconds: limit.microseconds)])
        let tombstones = try ended.map { row in
            let id: String = try row["id"]
            return LogRecord(
                topic: Topic.tokens.name, key: Array((SessionKeyMade.keyPrefix + id).utf8),
                value: nil)
        }
        if !tombstones.isEmpty {
            try SiteEditorSchema.outbox.put(tombstones, connection: connection)
        }
    }
}

extension Timestamp {
    func advanced(byHours hours: Int64) -> Timestamp {
        advanced(byMicroseconds: hours * 3_600_000_000)
    }
}
