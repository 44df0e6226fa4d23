/// A response that has arrived completely.
public struct HTTPClientResponse: Sendable {
    public var status: Int
    /// Header fields by lower-case name. Values of a repeated field are joined with commas.
    public var headers: [String: String]
    public var body: [UInt8]
    /// The cookies after the request, for the next one, each with the host to which it goes. Empty
    /// unless the request asked for them.
    public var cookies: [String] = []
    /// Whether the request, or a redirect of it, went to a public address. Known only with a
    /// `NetworkGuard` and without a proxy.
    public var hasAskedPublic = false

    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A response whose body is read while it arrives.
public struct HTTPClientStream: Sendable {
    public var status: Int
    /// Header fields by lower-case name.
    public var headers: [String: String]
    /// The chunks of the body. The sequence ends when the server ends the response, and throws
    /// `HTTPClientError` when the connection breaks. Leaving the loop closes the connection.
    public var body: AsyncThrowingStream<[UInt8], any Error>
}
