/// What is sent back: a status, header fields and a body.
public struct HTTPResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Sent in chunks as they come; the stream's end ends the response. A client that does not
        /// read is cut at the server's limit of unsent bytes.
        case stream(AsyncThrowingStream<[UInt8], any Error>)
        /// Asked for the next chunk only when the client has taken most of the last, so that a long
        /// export neither piles up nor gets its reader cut; nil ends the response.
        case pulled(@Sendable () async throws -> [UInt8]?)
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
