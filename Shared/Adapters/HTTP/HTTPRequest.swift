/// A request whose body has arrived completely.
public struct HTTPRequest: Sendable {
    public var method: HTTPMethod
    /// The percent-decoded path, without the query.
    public var path: String
    /// The values of the route's `{name}` segments.
    public var parameters: [String: String]
    /// The decoded query parameters in order. A name may occur twice where the path has no list of
    /// those that it knows.
    public var query: [(name: String, value: String)]
    public var body: [UInt8]
    /// The sender. Nil on an open route when no token came.
    public var principal: (any Principal)?
    /// The access rule of the route, for handlers that need the body to know what the call is
    /// about.
    public internal(set) var rule: (any AccessRule)?
    /// The time at which the first byte was read, in microseconds since 1970.
    public var receivedAtMicroseconds: Int64
    /// The other end of the connection: the client, or a proxy. Nil in tests without a socket.
    public var peerAddress: NetworkAddress?
    /// The client's address, as stated by a trusted proxy if there is one. Nil in tests without a
    /// socket.
    var senderAddress: NetworkAddress?
    /// The sender's remaining requests and quota. Nil in tests without a socket.
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

    /// The same request, for a handler in this process, in the name of the sender of another one.
    public func inTheName(of other: HTTPRequest) -> HTTPRequest {
        var request = self
        request.peerAddress = other.peerAddress
        request.senderAddress = other.senderAddress
        return request
    }

    /// The fields by lower-case name. Each call builds the dictionary; `header(_:)` looks up one
    /// cheaply.
    public var headers: [String: String] {
        get { fields.dictionary }
        set { fields = HeaderFields(newValue) }
    }

    /// The first field of this name. The name must be in lower case.
    public func header(_ name: String) -> String? { fields.first(name) }

    public func firstQuery(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
