import Events
import LogViews
import Postgres

extension TokenStore {
    /// The log keeps a token for this long after its end, since clocks differ.
    private static let keptAfterEnd: Int64 = 24 * 3_600 * 1_000_000
    private static let mostEndedAtOnce = 1_000

    /// Revokes tokens that ended a day ago. Otherwise the log would keep them, with the ids of
    /// their devices, and every process would have them in memory.
    func revokeExpired(at moment: Timestamp) async throws {
        var count = 0
        repeat {
            count = try await pool.withTransaction { connection in
                let rows = try connection.query(
                    """
                    UPDATE site_editor_names.tokens SET revoked_at = $1, revoked_by = 'expiry'
                    WHERE id IN (
                        SELECT id FROM site_editor_names.tokens
                        WHERE revoked_at IS NULL AND expires_at <= $2
                        ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                    RETURNING hash
                    """,
                    [
                        .timestamp(microseconds: moment.microseconds),
                        .timestamp(microseconds: moment.microseconds - Self.keptAfterEnd),
                        .int(Self.mostEndedAtOnce),
                    ])
                return rows.isEmpty
                    ? 0 : try Self.announceRevoked(rows, connection: connection).count
            }
            if count > 0 { bell.ring() }
        } while count == Self.mostEndedAtOnce
    }
}
