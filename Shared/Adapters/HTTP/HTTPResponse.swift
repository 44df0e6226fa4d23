import CMicrohttpd

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
    public var headers: [(name: String, value: String)] { didSet { prepared = nil } }
    public var body: Body { didSet { prepared = nil } }
    /// The header fields and the body as libmicrohttpd sends them, if they were made before.
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

    /// The same answer, made ready once, for what is sent very often. Only for a body of bytes.
    public func madeReady() -> HTTPResponse {
        var ready = self
        ready.prepared = PreparedResponse(self)
        return ready
    }
}

/// An answer as libmicrohttpd sends it, without its status.
///
/// Safe to share: libmicrohttpd counts the references under a lock of its own, and nothing changes
/// an answer once it is made.
final class PreparedResponse: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Nil without memory, and for a body that is not all there.
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

/// libmicrohttpd's form of an answer, with a copy of the bytes; nil without memory.
func copiedResponse(_ bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
        // Copied, so the pointer is not written through.
        MHD_create_response_from_buffer(
            $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
}
