/// Finds the route for a method and a path. Pure, and usable without a server.
///
/// Patterns form a tree by segments, so that matching does not grow with the number of routes.
/// Literal segments win over `{name}`, segment by segment from the left; the pattern that wins
/// decides which methods are allowed.
public struct Router: Sendable {
    /// What a path and a method lead to.
    public enum Match: Sendable {
        case found(Route, parameters: [String: String])
        case notFound
        /// The path is served, but not with this method; these are allowed, sorted by name.
        case methodNotAllowed(allow: [HTTPMethod])
    }

    private struct Endpoint: Sendable {
        var routes: [(route: Route, names: [String])] = []
        var allow: [HTTPMethod] = []
    }

    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var endpoint = Endpoint()
    }

    private var nodes = [Node()]
    /// Paths without parameters, found with one look-up.
    private var literalPaths: [String: Int] = [:]

    /// Two routes with the same method and pattern are a programmer's mistake.
    public init(_ routes: [Route]) {
        for route in routes { insert(route) }
    }

    /// `method` is nil for a word that is no `HTTPMethod`. HEAD is served by GET's route where it
    /// has none of its own.
    public func match(_ method: HTTPMethod?, _ path: String) -> Match {
        var values: [Substring] = []
        let node: Int
        if let literal = literalPaths[path] {
            node = literal
        } else {
            let segments = Self.segments(path)
            guard let found = find(segments[...], from: 0, &values) else { return .notFound }
            node = found
        }
        let endpoint = nodes[node].endpoint
        let wanted: (route: Route, names: [String])? =
            endpoint.routes.first { $0.route.method == method }
            ?? (method == .head ? endpoint.routes.first { $0.route.method == .get } : nil)
        guard let wanted else { return .methodNotAllowed(allow: endpoint.allow) }
        if wanted.names.isEmpty { return .found(wanted.route, parameters: [:]) }
        let pairs = zip(wanted.names, values).map { ($0, String($1)) }
        return .found(wanted.route, parameters: Dictionary(pairs) { first, _ in first })
    }

    private mutating func insert(_ route: Route) {
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
        precondition(
            !nodes[node].endpoint.routes.contains { $0.route.method == route.method },
            "\(route.method.rawValue) \(route.pattern) is there twice")
        nodes[node].endpoint.routes.append((route, names))
        nodes[node].endpoint.allow = Self.allowed(nodes[node].endpoint.routes.map(\.route.method))
        if names.isEmpty { literalPaths[route.pattern] = node }
    }

    private mutating func add(_ link: (inout [Node], Int) -> Void) -> Int {
        nodes.append(Node())
        link(&nodes, nodes.count - 1)
        return nodes.count - 1
    }

    private func find(
        _ segments: ArraySlice<Substring>, from node: Int, _ values: inout [Substring]
    ) -> Int? {
        guard let segment = segments.first else {
            return nodes[node].endpoint.routes.isEmpty ? nil : node
        }
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
