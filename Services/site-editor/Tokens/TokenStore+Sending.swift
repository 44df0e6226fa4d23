public import Events
import Postgres
import Wire

extension TokenStore {
    /// Whether site-editor has not sent this token to the log yet. No service accepts it until
    /// then, unless the service starts anew.
    public func waitsToBeSent(_ issued: TokenIssued) async throws -> Bool {
        try await pool.query(
            """
            SELECT EXISTS (
                SELECT FROM \(SiteEditorSchema.name).outbox WHERE topic = $1 AND key = $2) AS waits
            """, [.text(Topic.tokens.name), .bytes(issued.recordKey)]
        )[0]["waits"]
    }
}
