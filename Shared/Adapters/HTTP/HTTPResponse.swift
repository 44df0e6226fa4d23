public struct HTTPResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Sent in chunks as they come; the stream's end ends the response. A client that does not
        /// read is cut at the server's limit of unsent bytes.
        case stream(AsyncThrowingStream<[UInt8], any Error>)
    }

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: Body

    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public static func json(_ bytes: [UInt8], status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("content-type", "application/json")], body: .bytes(bytes))
    }
}

/// An error as RFC 9457 describes it: a status, a stable code and one sentence for people.
public struct Problem: Error, Hashable, Sendable {
    public var status: Int
    /// Stable, such as `rssi-out-of-range`; `type` becomes `urn:whereabouts:problem:<code>`.
    public var code: String
    /// What was wrong and what to do. Never internal text.
    public var detail: String
    public var retryAfterSeconds: Int?

    public init(_ status: Int, _ code: String, _ detail: String, retryAfterSeconds: Int? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
    }
}
