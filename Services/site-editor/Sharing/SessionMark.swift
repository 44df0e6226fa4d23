import Cryptography
import Events
import HTTP
import Postgres
import ServiceHost
import Wire

/// One session, by which a share or a pairing ends with it. It names no account's other sessions. A
/// program's token has one as long as it is valid.
struct SessionMark: Hashable, Sendable {
    /// A hash of the session's change token, which no table and no log has, or of a token's id.
    let hash: [UInt8]
    /// The account as callers have it; nil for visitors without one.
    let visitor: String?
    let endsAt: Timestamp?
    private let account: AccountID?
    private let sessionsEnded: Int

    init(_ caller: Caller) {
        let name = caller.changeToken.map { "session\n\($0)" } ?? "token\n\(caller.id)"
        hash = sha256(name.utf8)
        visitor = caller.account == nil ? nil : caller.id
        endsAt = caller.expiresAt
        account = caller.account
        sessionsEnded = caller.sessionsEnded
    }

    /// Refuses a session that has ended with all others of its account, also if this process has
    /// not read so yet. The end of the account's sessions waits for the transaction, and then finds
    /// what it makes.
    func demandLasts(connection: isolated PostgresConnection) throws {
        guard let account else { return }
        let row = try connection.query(
            """
            SELECT sessions_ended FROM site_editor_names.accounts
            WHERE id = $1 AND ended_at IS NULL FOR SHARE
            """, [.uuid(account.event.bytes)]
        ).first
        let ended: Int? = try row?["sessions_ended"]
        guard ended == sessionsEnded else { throw Problem.sessionWrong }
    }
}
