/// What the polling loops of one server share.
final class ServerCore: Sendable {
    typealias ResponseHook =
        @Sendable (_ pattern: String, _ method: String, _ status: Int, _ seconds: Double) -> Void

    let configuration: HTTPServerConfiguration
    let handler: RequestHandler
    let onUnexpected: @Sendable (String) -> Void
    let onResponse: ResponseHook

    init(
        configuration: HTTPServerConfiguration, handler: RequestHandler,
        onUnexpected: @escaping @Sendable (String) -> Void, onResponse: @escaping ResponseHook
    ) {
        self.configuration = configuration
        self.handler = handler
        self.onUnexpected = onUnexpected
        self.onResponse = onResponse
    }

    /// When a connection without a request must have sent the line of the next: it may idle first.
    func idleDeadlineNanoseconds(from now: Int64) -> Int64 {
        requestDeadlineNanoseconds(from: now)
            + Int64(configuration.idleTimeoutSeconds) * 1_000_000_000
    }

    func requestDeadlineNanoseconds(from now: Int64) -> Int64 {
        now + Int64(configuration.requestTimeoutSeconds) * 1_000_000_000
    }
}
