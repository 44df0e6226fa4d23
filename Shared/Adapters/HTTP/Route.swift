/// One method and path pattern, its limits, and what answers. Who may call it is the authorizer's
/// affair.
public struct Route: Sendable {
    public enum Handler: Sendable {
        /// Called on the server's own thread: must not block. Answers now or later, exactly once,
        /// from any thread. For hot paths.
        case callback(@Sendable (HTTPRequest, any HTTPResponder) -> Void)
        /// Runs in a task of its own. A thrown `Problem` becomes its response; any other error is
        /// logged and becomes 500 `internal`.
        case task(@Sendable (HTTPRequest) async throws -> HTTPResponse)
    }

    public var method: HTTPMethod
    /// Such as `/v1/positions/{id}/explain`. Literal segments win over `{id}`.
    public var pattern: String
    public var maximumBodyBytes: Int
    /// Whether requests count for the rate limits; what tells whether the process lives does not.
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
    /// The same route, whose requests count for no limit.
    public var uncounted: Route {
        var route = self
        route.isCounted = false
        return route
    }
}

/// Answers one request, once. Dropping it unanswered answers 500.
public protocol HTTPResponder: Sendable {
    func respond(_ response: HTTPResponse)
    func respond(_ problem: Problem)
}
