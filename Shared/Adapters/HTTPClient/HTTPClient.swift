import Synchronization

/// Sends HTTP requests with libcurl, many at once, over connections that stay open.
///
/// All transfers run on one thread of the client; callers wait without blocking a thread. `close`
/// ends that thread.
public final class HTTPClient: Sendable {
    public struct Configuration: Sendable {
        /// The number of requests that may run at once; further ones wait. Streams do not count.
        public var maximumConcurrentRequests = 64
        /// Connections that stay open for further requests; nil for some more than run at once.
        public var maximumOpenConnections: Int?
        public var maximumResponseBytes = 16_777_216
        /// Whether bodies of answers are read. Otherwise an answer is complete when its body
        /// begins, and its own is empty.
        public var readsBodies = true
        var connectTimeoutSeconds = 5.0
        /// The client closes a stream that sends nothing for this long. Server-sent events carry a
        /// comment every 15 s.
        var streamIdleTimeoutSeconds = 60
        /// The client closes a stream when its reader lags behind by more chunks than this.
        var maximumUnreadChunks = 65_536
        /// A file of certificates (PEM) that are trusted in addition to the machine's own. Nil for
        /// none.
        public var certificateFile: String?
        /// Whether requests use the proxy that the environment names (`https_proxy` and so on).
        public var usesProxy = true
        /// The proxy of all requests; nil for what `usesProxy` says. A proxy connects by itself, so
        /// `guarding` can't see the addresses behind it.
        public var proxy: String?
        /// The addresses to which requests may go; nil for all. Each connection's real address is
        /// checked, also those of redirects and those that a name has the second time. A redirect
        /// of a public server leads to public ones only.
        public var guarding: NetworkGuard?
        /// Redirects that are followed, to http and https only. A user and a password are not sent
        /// to another host. A redirect that would send the body of a POST again is refused.
        public var maximumRedirects = 0
        /// Whether answers may be compressed. The limit of bytes is on what they unpack to.
        public var acceptsCompressed = false

        public init() {}
    }

    private let configuration: Configuration
    private let loop: TransferLoop

    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = TransferLoop(configuration)
    }

    deinit { loop.close() }

    /// Ends all transfers with `closed` and refuses new ones. A client also closes when its last
    /// reference goes.
    public func close() { loop.close() }

    /// Sends a request and waits for the complete response, whatever its status. `timeoutSeconds`
    /// counts from the moment at which the transfer begins, not from the call. Cancelling the task
    /// aborts the request.
    ///
    /// - Parameters:
    ///   - signing: signs the request; nil for none.
    ///   - maximumResponseBytes: nil for the client's limit.
    ///   - cookies: those of an earlier response, or none, to get the response's; nil to pass over
    ///     cookies.
    ///   - hasAskedPublic: whether an answer of a public server led to this request. Then it may go
    ///     to public addresses only, as a redirect may.
    public func send(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], timeoutSeconds: Double = 30, signing: RequestSigning? = nil,
        maximumResponseBytes: Int? = nil, cookies: [String]? = nil, hasAskedPublic: Bool = false
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        let transfer = Transfer(
            TransferRequest(
                method: method, url: url, headers: headers, body: body,
                timeoutSeconds: timeoutSeconds, signing: signing, cookies: cookies,
                hasAskedPublic: hasAskedPublic),
            maximumResponseBytes: maximumResponseBytes ?? configuration.maximumResponseBytes,
            readsBody: configuration.readsBodies)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.onEnd { continuation.resume(returning: $0) }
                loop.add(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try result.get()
    }

    /// Opens a stream, such as server-sent events, and returns once its headers have arrived. A
    /// status of 400 or more throws `status`, with the beginning of the body as the reason.
    public func stream(
        _ url: String, headers: [(name: String, value: String)] = [],
        timeoutSeconds: Double = 30
    ) async throws(HTTPClientError) -> HTTPClientStream {
        let (body, sink) = AsyncThrowingStream<[UInt8], any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(configuration.maximumUnreadChunks))
        let transfer = Transfer(
            TransferRequest(
                method: "GET", url: url, headers: headers, body: [],
                timeoutSeconds: timeoutSeconds),
            maximumResponseBytes: configuration.maximumResponseBytes, sink: sink)
        // Keeps the client alive while the stream exists.
        sink.onTermination = { [self] _ in loop.cancel(transfer) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.onHead { continuation.resume(returning: $0) }
                loop.add(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        let head = try result.get()
        return HTTPClientStream(status: head.status, headers: head.headers, body: body)
    }
}
