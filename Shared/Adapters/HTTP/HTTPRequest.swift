/// A request whose body has arrived whole.
public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    /// Percent-decoded path, without the query.
    public var path: String
    /// What the route's `{name}` segments matched.
    public var parameters: [String: String]
    /// Decoded query parameters in order; a name may come twice.
    public var query: [(name: String, value: String)]
    public var body: [UInt8]
    /// Who sent it; nil where the route is open and no token came.
    public var principal: (any Principal)?
    /// Who may call its route: for handlers that learn only from the body what the call is about.
    public internal(set) var rule: (any AccessRule)?
    /// When its first byte was read, microseconds since 1970.
    public var receivedAtMicroseconds: Int64
    /// Who is at the other end of the connection: the client, or a proxy. Nil in the memory of
    /// tests.
    public var peerAddress: NetworkAddress?
    /// The client, also where a trusted proxy speaks for it. Nil in the memory of tests.
    var senderAddress: NetworkAddress?
    /// What its sender may still do; nil in the memory of tests.
    public var allowance: Allowance?
    var fields: HeaderFields

    public init(
        method: HTTPMethod, path: String, parameters: [String: String] = [:],
        query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: [UInt8] = [], principal: (any Principal)? = nil, receivedAtMicroseconds: Int64 = 0
    ) {
        self.init(
            method: method, path: path, parameters: parameters, query: query,
            fields: HeaderFields(headers), body: body, principal: principal,
            receivedAtMicroseconds: receivedAtMicroseconds)
    }

    init(
        method: HTTPMethod, path: String, parameters: [String: String],
        query: [(name: String, value: String)], fields: HeaderFields, body: [UInt8],
        principal: (any Principal)?, receivedAtMicroseconds: Int64, allowance: Allowance? = nil
    ) {
        self.allowance = allowance
        self.method = method
        self.path = path
        self.parameters = parameters
        self.query = query
        self.fields = fields
        self.body = body
        self.principal = principal
        self.receivedAtMicroseconds = receivedAtMicroseconds
    }

    /// Names in lower case. Each reading builds the dictionary; `header(_:)` looks up one cheaply.
    public var headers: [String: String] {
        get { fields.dictionary }
        set { fields = HeaderFields(newValue) }
    }

    /// The first field of this name, which is given in lower case.
    public func header(_ name: String) -> String? { fields.first(name) }

    public func firstQuery(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
