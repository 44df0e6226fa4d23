import Synchronization

/// Sends HTTP requests with libcurl, many at once, over connections that are kept.
///
/// All transfers run on one thread of the client's own; callers wait without holding a thread.
/// `close` ends it.
public final class HTTPClient: Sendable {
    public struct Configuration: Sendable {
        /// Requests beyond this wait their turn; streams are not counted.
        public var maximumConcurrentRequests = 64
        public var maximumResponseBytes = 16_777_216
        var connectTimeoutSeconds = 5.0
        /// A stream from which nothing comes for this long is broken off. Server-sent events carry
        /// a comment every 15 s.
        var streamIdleTimeoutSeconds = 60
        /// A stream whose reader leaves more chunks than this is broken off.
        var maximumUnreadChunks = 65_536
        /// Certificates (PEM) that are trusted beside the machine's own; nil for none.
        public var certificateFile: String?
        /// Whether requests go through the proxy that the environment names (`https_proxy` and so
        /// on).
        public var usesProxy = true

        public init() {}
    }

    private let configuration: Configuration
    private let loop: TransferLoop

    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = TransferLoop(configuration)
    }

    deinit { loop.close() }

    /// Ends all transfers with `closed` and refuses new ones. A client that is let go of closes
    /// too.
    public func close() { loop.close() }

    /// Sends a request and waits for the whole answer, whatever its status. `timeoutSeconds` counts
    /// from when the request is its turn. Cancelling the task breaks the request off.
    public func send(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], timeoutSeconds: Double = 30
    ) async throws(HTTPClientError) -> HTTPClientResponse {
        let transfer = Transfer(
            TransferRequest(
                method: method, url: url, headers: headers, body: body,
                timeoutSeconds: timeoutSeconds),
            maximumResponseBytes: configuration.maximumResponseBytes)
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

    /// Opens a stream, such as server-sent events, and returns when its head is there. A status of
    /// 400 or more throws `status` with the beginning of the body as the reason.
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
        // Holds the client for as long as the stream is there.
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
