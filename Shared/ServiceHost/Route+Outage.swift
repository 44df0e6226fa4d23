import HTTP

extension Route {
    /// The same route, which answers 503 with Retry-After while PostgreSQL or the log is away, where
    /// an error of theirs would become 500. What is no outage stays the error that it is.
    func answeringOutages(onUnexpected: @escaping @Sendable (String) -> Void) -> Route {
        guard case .task(let handler) = handler else { return self }
        var route = self
        let name = "\(method.rawValue) \(pattern)"
        route.handler = .task { request in
            do {
                return try await handler(request)
            } catch {
                guard let problem = Problem(outage: error) else { throw error }
                onUnexpected("\(name) is answered \(problem.code): \(error)")
                throw problem
            }
        }
        return route
    }
}
