/// An answer that has arrived whole.
public struct HTTPClientResponse: Sendable {
    public var status: Int
    /// Names in lower case; of a field that came more than once, the values joined with commas.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// An answer whose body is read as it comes.
public struct HTTPClientStream: Sendable {
    public var status: Int
    /// Names in lower case.
    public var headers: [String: String]
    /// Ends when the server ends the response; throws `HTTPClientError` when it breaks off. Leaving
    /// the iteration closes the connection.
    public var body: AsyncThrowingStream<[UInt8], any Error>
}
