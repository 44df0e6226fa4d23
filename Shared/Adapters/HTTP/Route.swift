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
    /// Whether its answers may be compressed; not those with secrets (`GzipCoding`).
    var mayBeCompressed = true
    /// Where a token may stand besides `Authorization: Bearer`.
    var credential = Credential.bearer
    /// The form of its problems; nil for the usual one.
    var problemForm: (@Sendable (Problem) -> HTTPResponse)?
    /// Why requests with these parameters of the path are refused, whatever their body says; nil
    /// where none are.
    var refusal: (@Sendable (_ parameters: [String: String]) -> Problem?)?
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
    /// A place for a token, for senders that know no bearer tokens.
    public enum Credential: Hashable, Sendable {
        /// No other place.
        case bearer
        /// The password of HTTP's Basic scheme (RFC 7617); the user's name may be anything.
        case basic
        /// A parameter of the query with this name. Addresses stand in the logs of proxies, so only
        /// a token that can do very little belongs there. Handlers don't see the parameter.
        case query(String)
    }

    func answer(_ problem: Problem) -> HTTPResponse { problemForm?(problem) ?? problem.response }

    /// The query without a token.
    func withoutCredential(
        _ query: [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        guard case .query(let name) = credential else { return query }
        return query.filter { $0.name != name }
    }

    /// The same route, with another place for tokens and perhaps another form of problems.
    public func accepting(
        _ credential: Credential, problems: (@Sendable (Problem) -> HTTPResponse)? = nil
    ) -> Route {
        var route = self
        route.credential = credential
        route.problemForm = problems
        return route
    }

    /// The same route, which refuses some requests by their path alone, before it reads their body.
    public func refusing(
        _ refusal: @escaping @Sendable (_ parameters: [String: String]) -> Problem?
    ) -> Route {
        var route = self
        route.refusal = refusal
        return route
    }

    /// The same route, whose answers are never compressed since they hold a secret.
    public var uncompressed: Route {
        var route = self
        route.mayBeCompressed = false
        return route
    }

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
