import CMicrohttpd

/// The answer to a request: a status, header fields and a body.
public struct HTTPResponse: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// Chunks, sent as they come; the end of the stream ends the response. The server cuts a
        /// client that leaves too many bytes unread.
        case stream(AsyncThrowingStream<[UInt8], any Error>)
        /// The next chunk is requested only when the client has read most of the last one. So a
        /// long export does not pile up, and a slow client is not cut. Nil ends the response.
        case pulled(@Sendable () async throws -> [UInt8]?)
    }

    public var status: Int
    public var headers: [(name: String, value: String)] { didSet { prepared = nil } }
    public var body: Body { didSet { prepared = nil } }
    /// libmicrohttpd's form of the header fields and the body, if it was made in advance.
    private(set) var prepared: PreparedResponse?

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

    /// The same answer, prepared once because it is sent often. Its body must be bytes.
    public func madeReady() -> HTTPResponse {
        var ready = self
        ready.prepared = PreparedResponse(self)
        return ready
    }
}

/// libmicrohttpd's form of an answer, without the status.
///
/// Safe to share: libmicrohttpd counts references under its own lock, and a finished answer never
/// changes.
final class PreparedResponse: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Nil when memory is short, or when the body is a stream.
    init?(_ response: HTTPResponse) {
        guard case .bytes(let bytes) = response.body, let pointer = copiedResponse(bytes)
        else { return nil }
        response.forEachField(for: HeaderFields(), method: nil, .none) {
            addField($0, $1, to: pointer)
        }
        self.pointer = pointer
    }

    deinit { MHD_destroy_response(pointer) }
}

/// libmicrohttpd's form of an answer, with a copy of the bytes. Nil when memory is short.
func copiedResponse(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
        // libmicrohttpd copies the bytes, so it never writes through this pointer.
        MHD_create_response_from_buffer(
            $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
}
