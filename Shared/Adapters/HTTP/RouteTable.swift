/// Finds the route for a method and a path. It needs no server.
///
/// Patterns form a tree of segments, so matching does not get slower with more routes. Literal
/// segments win over `{name}`, segment by segment from the left. The winning pattern decides which
/// methods are allowed.
public struct RouteTable: Sendable {
    /// The result for a path and a method.
    public enum Match: Sendable {
        case found(Route, parameters: [String: String])
        case notFound
        /// The path is served, but not with this method. The allowed methods are sorted by name.
        case methodNotAllowed(allow: [HTTPMethod])
    }

    /// A route in the tree. It is a class, so that the tree holds one reference instead of a copy.
    final class Served: Sendable {
        let route: Route
        let rule: any AccessRule
        /// The names of its `{name}` segments, in order.
        let names: [String]

        init(_ route: Route, rule: any AccessRule, names: [String]) {
            self.route = route
            self.rule = rule
            self.names = names
        }
    }

    enum Found: Sendable {
        case found(Served, parameters: [String: String])
        case notFound
        case methodNotAllowed(allow: [HTTPMethod])
    }

    private final class Endpoint: Sendable {
        let routes: [Served]
        let allow: [HTTPMethod]

        init(_ routes: [Served]) {
            self.routes = routes
            allow = RouteTable.allowed(routes.map(\.route.method))
        }
    }

    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var endpoint: Endpoint?
    }

    private var nodes = [Node()]
    /// The paths without parameters, for a single look-up.
    private var literalPaths: [String: Endpoint] = [:]

    /// Two routes with the same method and pattern are a programming error.
    ///
    /// - Throws: `UnruledRoutes` with the routes for which the authorizer has no rule.
    public init(_ routes: [Route], authorizer: any Authorizer) throws(UnruledRoutes) {
        var unruled: [String] = []
        for route in routes {
            if let rule = authorizer.rule(for: route.method, route.pattern) {
                insert(route, rule)
            } else {
                unruled.append("\(route.method.rawValue) \(route.pattern)")
            }
        }
        guard unruled.isEmpty else { throw UnruledRoutes(operations: unruled.sorted()) }
    }

    /// Finds the route. `method` is nil for a method that is not an `HTTPMethod`. HEAD uses GET's
    /// route unless it has its own.
    public func match(_ method: HTTPMethod?, _ path: String) -> Match {
        switch find(method, path) {
        case .found(let served, let parameters): .found(served.route, parameters: parameters)
        case .notFound: .notFound
        case .methodNotAllowed(let allow): .methodNotAllowed(allow: allow)
        }
    }

    func find(_ method: HTTPMethod?, _ path: String) -> Found {
        var values: [Substring] = []
        let endpoint: Endpoint
        if let literal = literalPaths[path] {
            endpoint = literal
        } else {
            let segments = Self.segments(path)
            guard let found = find(segments[...], from: 0, &values) else { return .notFound }
            endpoint = found
        }
        let wanted: Served? =
            endpoint.routes.first { $0.route.method == method }
            ?? (method == .head ? endpoint.routes.first { $0.route.method == .get } : nil)
        guard let wanted else { return .methodNotAllowed(allow: endpoint.allow) }
        if wanted.names.isEmpty { return .found(wanted, parameters: [:]) }
        let pairs = zip(wanted.names, values).map { ($0, String($1)) }
        return .found(wanted, parameters: Dictionary(pairs) { first, _ in first })
    }

    private mutating func insert(_ route: Route, _ rule: any AccessRule) {
        precondition(route.pattern.hasPrefix("/"), "\(route.pattern) must start with /")
        var node = 0
        var names: [String] = []
        for segment in Self.segments(route.pattern) {
            if segment.hasPrefix("{"), segment.hasSuffix("}") {
                names.append(String(segment.dropFirst().dropLast()))
                node = nodes[node].parameter ?? add { $0[node].parameter = $1 }
            } else {
                let literal = String(segment)
                node = nodes[node].literals[literal] ?? add { $0[node].literals[literal] = $1 }
            }
        }
        let others = nodes[node].endpoint?.routes ?? []
        precondition(
            !others.contains { $0.route.method == route.method },
            "\(route.method.rawValue) \(route.pattern) is there twice")
        let endpoint = Endpoint(others + [Served(route, rule: rule, names: names)])
        nodes[node].endpoint = endpoint
        if names.isEmpty { literalPaths[route.pattern] = endpoint }
    }

    private mutating func add(_ link: (inout [Node], Int) -> Void) -> Int {
        nodes.append(Node())
        link(&nodes, nodes.count - 1)
        return nodes.count - 1
    }

    private func find(
        _ segments: ArraySlice<Substring>, from node: Int, _ values: inout [Substring]
    ) -> Endpoint? {
        guard let segment = segments.first else { return nodes[node].endpoint }
        if let next = nodes[node].literals[String(segment)],
            let found = find(segments.dropFirst(), from: next, &values)
        {
            return found
        }
        guard let next = nodes[node].parameter, !segment.isEmpty else { return nil }
        values.append(segment)
        if let found = find(segments.dropFirst(), from: next, &values) { return found }
        values.removeLast()
        return nil
    }

    private static func segments(_ path: String) -> [Substring] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func allowed(_ methods: [HTTPMethod]) -> [HTTPMethod] {
        var allow = Set(methods).union([.options])
        if allow.contains(.get) { allow.insert(.head) }
        return allow.sorted { $0.rawValue < $1.rawValue }
    }
}
