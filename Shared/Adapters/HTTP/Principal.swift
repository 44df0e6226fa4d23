/// The account or program behind a token or a session, as far as the server needs to know it. The
/// authorizer decides what it may do.
///
/// It is a class, because it goes along with every request and never changes.
public protocol Principal: AnyObject, Sendable {
    /// The id of the token or account, without any secret. The rate limit counts by it.
    var id: String { get }
    /// The limit for sent data. Nil for no limit.
    var sendingQuota: Quota? { get }
    /// Whether its requests count for the address. Anybody can create any number of such
    /// principals.
    var countsByAddress: Bool { get }
    /// Whether a proxy may forward its requests. Tokens that our services use among themselves
    /// never come through a proxy.
    var mayBeForwarded: Bool { get }
}

extension Principal {
    public var mayBeForwarded: Bool { true }
    public var countsByAddress: Bool { false }
}

/// Finds the principal of a bearer token. It runs on the server's own threads, so it must answer
/// from memory.
public protocol Authenticator: Sendable {
    func principal(forBearer token: String) -> (any Principal)?
    /// Whether the principal is still valid: false once it was revoked or has expired. Streams ask
    /// about once a second.
    func holds(_ principal: any Principal) -> Bool
    /// The name of the cookie that holds a person's session. Nil where there are no sessions.
    var sessionCookie: String? { get }
    /// The principal of a session.
    ///
    /// - Parameters:
    ///   - changeToken: the field `x-change-token`. A browser adds the cookie to any request, even
    ///     one from another site's page. That page does not know this token.
    ///   - isChange: whether the method changes something.
    func principal(
        forSession text: String, changeToken: String?, isChange: Bool
    ) -> Result<any Principal, Problem>
    /// Whether the tokens have been read. Before that an unknown token gets 503 (try again) instead
    /// of a refusal.
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
