import Events
import Postgres
import Wire

/// Pairings as far as they belong to sessions.
extension PairingStore {
    /// Older rows have none, and end by themselves.
    static let sessionMigration = "ALTER TABLE \(table) ADD COLUMN session bytea"

    /// Ends the pairings that a session made, at all sites.
    func endAll(of session: SessionMark, moment: Timestamp) async throws {
        let now = PostgresValue.timestamp(microseconds: moment.microseconds)
        let sites: [String] = try await pool.query(
            """
            SELECT DISTINCT site FROM \(Self.table)
            WHERE session = $1 AND ended_at IS NULL AND until_at > $2
            """, [.bytes(session.hash), now]
        ).map { try $0["site"] }
        for site in sites {
            do {
                try await end(
                    "session = $4", [.bytes(session.hash)], .visitor, SiteID(site), moment)
            } catch Refusal.unknown {
                // Somebody has just ended them.
            }
        }
    }

    /// Ends all pairings of an account, in the transaction that ends its sessions. Its requests are
    /// over within a minute.
    static func endAll(
        of account: AccountID, at moment: Timestamp, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            UPDATE \(table) SET ended_at = least($2, until_at), ended_by = $3
            WHERE visitor = $1 AND ended_at IS NULL
            """,
            [
                .text("account/\(account)"), .timestamp(microseconds: moment.microseconds),
                .text(ListedPairing.Ender.visitor.rawValue),
            ])
    }

    /// Forgets who was paired with erased devices, and their codes.
    static func forget(
        _ devices: [DeviceID], of site: SiteID, connection: isolated PostgresConnection
    ) throws {
        for table in [table, "site_editor.pairing_codes"] {
            try connection.query(
                "DELETE FROM \(table) WHERE site = $1 AND scanner = ANY ($2)",
                [.text(site.text), .textArray(devices.map(\.text))])
        }
    }
}
