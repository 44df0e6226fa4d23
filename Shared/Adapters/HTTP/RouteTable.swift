/// Finds the route for a method and a path. Pure, and usable without a server.
///
/// Patterns form a tree by segments, so that matching does not grow with the number of routes.
/// Literal segments win over `{name}`, segment by segment from the left; the pattern that wins
/// decides which methods are allowed.
public struct RouteTable: Sendable {
    /// What a path and a method lead to.
    public enum Match: Sendable {
        case found(Route, parameters: [String: String])
        case notFound
        /// The path is served, but not with this method; these are allowed, sorted by name.
        case methodNotAllowed(allow: [HTTPMethod])
    }

    /// A route as the tree holds it: one reference, where a route is a handful.
    final class Served: Sendable {
        let route: Route
        let rule: any AccessRule
        /// What its `{name}` segments are called, in order.
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
    /// Paths without parameters, found with one look-up.
    private var literalPaths: [String: Endpoint] = [:]

    /// Two routes with the same method and pattern are a programmer's mistake.
    ///
    /// - Throws: `UnruledRoutes` with those that the authorizer has no rule for.
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

    /// `method` is nil for a word that is no `HTTPMethod`. HEAD is served by GET's route where it
    /// has none of its own.
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
