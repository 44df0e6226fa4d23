/// Whom a bearer token speaks for. Roles are plain words here; what they may do is the routes' affair.
public struct Principal: Hashable, Sendable {
    /// Names the token without telling it; the rate limit counts by it.
    public var id: String
    public var role: String
    public var site: String?
    public var device: String?

    public init(id: String, role: String, site: String? = nil, device: String? = nil) {
        self.id = id
        self.role = role
        self.site = site
        self.device = device
    }
}

/// Tells who a bearer token belongs to. Called on the server's own threads: answer from memory.
public protocol Authenticator: Sendable {
    func principal(forBearer token: String) -> Principal?
    /// False while the tokens are not known yet: an unknown token is then asked for again (503)
    /// and not refused.
    var isReady: Bool { get }
}

extension Authenticator {
    public var isReady: Bool { true }
}
