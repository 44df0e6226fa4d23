import Cryptography
import Events
import ServiceHost

/// One session, by which a share or a pairing ends with it. It names no account's other sessions.
struct SessionMark: Hashable, Sendable {
    /// A hash of the session's change token, which no table and no log has.
    let hash: [UInt8]
    /// The account as callers have it; nil for visitors without one.
    let visitor: String?
    let endsAt: Timestamp?

    /// Nil for a program's token, which has no session.
    init?(_ caller: Caller) {
        guard let token = caller.changeToken else { return nil }
        hash = sha256("session\n\(token)".utf8)
        visitor = caller.account == nil ? nil : caller.id
        endsAt = caller.expiresAt
    }
}
