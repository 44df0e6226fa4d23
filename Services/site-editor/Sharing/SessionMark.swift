import Cryptography
import Events
import ServiceHost

/// One session, by which a share or a pairing ends with it. It names no account's other sessions. A
/// program's token has one as long as it is valid.
struct SessionMark: Hashable, Sendable {
    /// A hash of the session's change token, which no table and no log has, or of a token's id.
    let hash: [UInt8]
    /// The account as callers have it; nil for visitors without one.
    let visitor: String?
    let endsAt: Timestamp?

    init(_ caller: Caller) {
        let name = caller.changeToken.map { "session\n\($0)" } ?? "token\n\(caller.id)"
        hash = sha256(name.utf8)
        visitor = caller.account == nil ? nil : caller.id
        endsAt = caller.expiresAt
    }
}
