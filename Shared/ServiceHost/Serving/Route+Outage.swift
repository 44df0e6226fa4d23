import EventLog
import HTTP
import Synchronization

extension Route {
    /// The same route, which answers 503 with Retry-After while PostgreSQL or the log is away, where
    /// an error of theirs would become 500, and 422 where the database takes no such value. What else is no outage stays the error that it is.
    func answeringOutages(notices: Notices) -> Route {
        guard case .task(let handler) = handler else { return self }
        var route = self
        let outage = SharedOutage(Outage(of: "\(method.rawValue) \(pattern)", notices: notices))
        route.handler = .task { request in
            do {
                let response = try await handler(request)
                outage.current.withLock { $0.ended() }
                return response
            } catch {
                if let refusal = error as? any ClientRefusal { throw refusal.problem }
                if let problem = Problem(notStorable: error) { throw problem }
                guard let problem = Problem(outage: error) else { throw error }
                outage.current.withLock { _ = $0.failed(error) }
                throw problem
            }
        }
        return route
    }
}

/// What all requests of a route know of its outage.
private final class SharedOutage: Sendable {
    let current: Mutex<Outage>
    init(_ outage: sending Outage) { current = Mutex(outage) }
}
