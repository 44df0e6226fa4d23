/// Says who may call what. A route that it has no rule for can't be served, so that none is
/// forgotten.
public protocol Authorizer: Sendable {
    /// Who may call a route; asked once, when the routes are put together.
    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)?
}

/// Who may call one route. Called on the server's own threads: answer from memory.
public protocol AccessRule: Sendable {
    /// Nil where the call may go on.
    ///
    /// - Parameters:
    ///   - principal: nil where no token came.
    ///   - parameters: what the route's `{name}` segments matched.
    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem?
}

/// Routes that nobody said who may call.
public struct UnruledRoutes: Error, Hashable, Sendable, CustomStringConvertible {
    /// Such as `GET /v1/secrets`.
    public var operations: [String]

    public init(operations: [String]) { self.operations = operations }

    public var description: String {
        "no rule says who may call \(operations.joined(separator: ", "))"
    }
}
