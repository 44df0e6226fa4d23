/// One method and path pattern, with limits and a handler. The authorizer decides who may call it.
public struct Route: Sendable {
    public enum Handler: Sendable {
        /// Runs on the server's own thread, so it must not block. It answers exactly once, now or
        /// later, from any thread. For hot paths.
        case callback(@Sendable (HTTPRequest, any HTTPResponder) -> Void)
        /// Runs in a task of its own. A thrown `Problem` becomes the response. Any other error is
        /// logged and becomes 500 `internal`.
        case task(@Sendable (HTTPRequest) async throws -> HTTPResponse)
    }

    public var method: HTTPMethod
    /// The path pattern, such as `/v1/positions/{id}/explain`. Literal segments win over `{id}`.
    public var pattern: String
    public var maximumBodyBytes: Int
    /// Whether requests count for the rate limits. Requests for the process's health do not.
    public var isCounted = true
    public var handler: Handler

    public init(
        _ method: HTTPMethod, _ pattern: String, maximumBodyBytes: Int = 65_536,
        handler: Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.maximumBodyBytes = maximumBodyBytes
        self.handler = handler
    }
}

extension Route {
    /// The same route without a limit for requests.
    public var uncounted: Route {
        var route = self
        route.isCounted = false
        return route
    }
}

/// Answers one request, once. If it is released without an answer, it answers 500.
public protocol HTTPResponder: Sendable {
    func respond(_ response: HTTPResponse)
    func respond(_ problem: Problem)
}
