/// Whom a token or a session speaks for: what the server itself needs to know. Whoever makes one
/// knows more of it; what it may do is the authorizer's affair.
///
/// A class, because it is handed on with every request and never changes.
public protocol Principal: AnyObject, Sendable {
    /// Names the token or the account without telling a secret; the rate limit counts by it.
    var id: String { get }
    /// What it may send; nil for anything.
    var sendingQuota: Quota? { get }
    /// Whether its requests count as its address's: anybody can be any number of such principals.
    var countsByAddress: Bool { get }
    /// Whether a proxy may have handed its request on. What only our own services show to each
    /// other never comes that way.
    var mayBeForwarded: Bool { get }
}

extension Principal {
    public var mayBeForwarded: Bool { true }
    public var countsByAddress: Bool { false }
}

/// Tells who a bearer token belongs to. Called on the server's own threads: answer from memory.
public protocol Authenticator: Sendable {
    func principal(forBearer token: String) -> (any Principal)?
    /// Whether the principal may go on with what it began: false once it was revoked or has
    /// expired. Streams ask about once a second.
    func holds(_ principal: any Principal) -> Bool
    /// The name of the cookie that holds a person's session; nil where there are none.
    var sessionCookie: String? { get }
    /// Whom a session speaks for.
    ///
    /// - Parameters:
    ///   - changeToken: the field `x-change-token`. The browser adds the cookie to whatever is
    ///     sent, also by another site's page; this it does not know.
    ///   - isChange: whether the method changes something.
    func principal(
        forSession text: String, changeToken: String?, isChange: Bool
    ) -> Result<any Principal, Problem>
    /// False while the tokens are not known yet: an unknown token is then asked for again (503)
    /// and not refused.
    var isReady: Bool { get }
}

extension Principal {
    public var sendingQuota: Quota? { nil }
}

extension Authenticator {
    public var sessionCookie: String? { nil }
    public func principal(
        forSession text: String, changeToken: String?, isChange: Bool
    ) -> Result<any Principal, Problem> { .failure(.tokenMissing) }
    public var isReady: Bool { true }
    public func holds(_ principal: any Principal) -> Bool { true }
}
