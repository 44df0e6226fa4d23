import EventLog
import Events
import LogViews
import Postgres
import Wire

extension TokenStore {
    static let expiryMigration = """
        -- Since when the log lacks the token because of its end.
        ALTER TABLE site_editor_names.tokens ADD COLUMN off_log_since timestamptz
        """

    /// The log keeps a token for this long after its end, since clocks differ.
    private static let keptAfterEnd: Int64 = 24 * 3_600 * 1_000_000
    private static let mostAtOnce = 1_000

    /// Takes tokens off the log that ended a day ago. Otherwise the log would keep them, with the
    /// ids of their devices, and every process would have them in memory.
    ///
    /// A token that has not ended comes back. A clock that was ahead for a moment may have taken it
    /// off.
    func sweepExpired(at moment: Timestamp) async throws {
        let ended = moment.microseconds - Self.keptAfterEnd
        try await repeatedly { connection in
            let rows = try connection.query(
                """
                UPDATE site_editor_names.tokens SET off_log_since = $1
                WHERE id IN (
                    SELECT id FROM site_editor_names.tokens
                    WHERE revoked_at IS NULL AND off_log_since IS NULL AND expires_at <= $2
                    ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
                RETURNING hash
                """,
                [
                    .timestamp(microseconds: moment.microseconds), .timestamp(microseconds: ended),
                    .int(Self.mostAtOnce),
                ])
            return try rows.map { .tombstone(of: .tokens, Array((try $0["hash"] as String).utf8)) }
        }
        try await repeatedly { connection in
            try connection.query(
                """
                UPDATE site_editor_names.tokens SET off_log_since = NULL
                WHERE id IN (
                    SELECT id FROM site_editor_names.tokens
                    WHERE revoked_at IS NULL AND off_log_since IS NOT NULL AND expires_at > $1
                    ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
                RETURNING \(Self.columns)
                """, [.timestamp(microseconds: ended), .int(Self.mostAtOnce)]
            ).compactMap {
                try Self.row($0)?.issued.withoutNote.record(source: SiteEditorSchema.source)
            }
        }
    }

    /// Puts what the work changes into the outbox, until it changes less than it may at once.
    private func repeatedly(
        _ work: @Sendable (isolated PostgresConnection) throws -> [LogRecord]
    ) async throws {
        var count = 0
        repeat {
            count = try await pool.withTransaction { connection in
                let records = try work(connection)
                if !records.isEmpty {
                    try SiteEditorSchema.outbox.put(records, connection: connection)
                }
                return records.count
            }
            if count > 0 { bell.ring() }
        } while count == Self.mostAtOnce
    }
}
