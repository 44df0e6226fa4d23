/// Decides who may call which route. The server refuses to start with a route without a rule, so
/// that none is forgotten.
public protocol Authorizer: Sendable {
    /// The rule for a route. It is asked for once, when the routes are put together.
    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)?
}

/// Decides who may call one route. It runs on the server's own threads, so it must answer from
/// memory.
public protocol AccessRule: Sendable {
    /// The refusal. Nil when the call may go on.
    ///
    /// - Parameters:
    ///   - principal: nil when the request had no token.
    ///   - parameters: the values of the route's `{name}` segments.
    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem?

    /// The parameters that the query may have; nil where any may come.
    var queryParameters: [String]? { get }

    /// Whether a query with a parameter twice is refused.
    var takesEachParameterOnce: Bool { get }
}

extension AccessRule {
    public var queryParameters: [String]? { nil }
    public var takesEachParameterOnce: Bool { false }
}

/// The routes without an access rule.
public struct UnruledRoutes: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operations, such as `GET /v1/secrets`.
    public var operations: [String]

    public init(operations: [String]) { self.operations = operations }

    public var description: String {
        "no access rule covers \(operations.joined(separator: ", "))"
    }
}
