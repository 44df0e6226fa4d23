/// A request whose body has arrived whole.
public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    /// Percent-decoded path, without the query.
    public var path: String
    /// What the route's `{name}` segments matched.
    public var parameters: [String: String]
    /// Decoded query parameters in order; a name may come twice.
    public var query: [(name: String, value: String)]
    /// Names in lower case.
    public var headers: [String: String]
    public var body: [UInt8]
    /// Who sent it; nil where the route is open and no token came.
    public var principal: Principal?
    /// When its first byte was read, microseconds since 1970.
    public var receivedAtMicroseconds: Int64

    public init(
        method: HTTPMethod, path: String, parameters: [String: String] = [:],
        query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], principal: Principal? = nil, receivedAtMicroseconds: Int64 = 0
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.query = query
        self.headers = headers
        self.body = body
        self.principal = principal
        self.receivedAtMicroseconds = receivedAtMicroseconds
    }

    public func firstQuery(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

public enum HTTPMethod: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
}

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
}
