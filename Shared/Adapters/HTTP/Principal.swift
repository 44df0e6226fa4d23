/// Whom a bearer token speaks for. Roles are plain words here; what they may do is the routes' affair.
///
/// A class, because it is handed on with every request and never changes.
public final class Principal: Sendable {
    /// Names the token without telling it; the rate limit counts by it.
    public let id: String
    public let role: String
    public let site: String?
    public let device: String?

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
