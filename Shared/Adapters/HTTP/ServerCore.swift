import Synchronization

/// What the threads of one server share: the request handler, the limits, the connections and
/// whether the server is stopping.
final class ServerCore: Sendable {
    typealias ResponseHook =
        @Sendable (_ pattern: String, _ method: String, _ status: Int, _ seconds: Double) -> Void

    let configuration: HTTPServerConfiguration
    let handler: RequestHandler
    let onUnexpected: @Sendable (String) -> Void
    let onResponse: ResponseHook
    /// Answers end their connections, streams end, and nobody new is let in.
    let isDraining = Atomic(false)
    /// Nothing may be suspended any more.
    let isStopping = Atomic(false)
    let requestsInFlight = Atomic(0)
    let watch: ConnectionWatch

    init(
        configuration: HTTPServerConfiguration, handler: RequestHandler,
        onUnexpected: @escaping @Sendable (String) -> Void, onResponse: @escaping ResponseHook
    ) throws(HTTPServerError) {
        self.configuration = configuration
        self.handler = handler
        self.onUnexpected = onUnexpected
        self.onResponse = onResponse
        watch = try ConnectionWatch()
    }

    /// When a connection without a request must have sent the whole next one: it may idle first.
    func idleDeadlineNanoseconds() -> Int64 {
        Moment.nanoseconds() + Int64(configuration.idleTimeoutSeconds) * 1_000_000_000
            + Int64(configuration.requestTimeoutSeconds) * 1_000_000_000
    }

    func requestDeadlineNanoseconds() -> Int64 {
        Moment.nanoseconds() + Int64(configuration.requestTimeoutSeconds) * 1_000_000_000
    }
}
