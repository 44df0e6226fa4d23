public import HTTP
public import Retrying
import Synchronization

extension [Route] {
    /// The routes of services as a process serves them: few costly ones at a time, and with an
    /// answer where the log or the database is away.
    public func asServed(notices: Notices) -> [Route] {
        let heavy = HeavyReads()
        return map { heavy.bounding($0).answeringWhileAway(notices: notices) }
    }
}

extension Route {
    /// The same route, with an answer where an error of PostgreSQL or the log would become 500: 503
    /// with Retry-After while one of them is away, and 422 where the database can't hold the value.
    func answeringWhileAway(notices: Notices) -> Route {
        guard case .task(let handler) = handler else { return self }
        var route = self
        let shared = SharedRetry(Retry(of: "\(method.rawValue) \(pattern)", notices: notices))
        route.handler = .task { request in
            do {
                let response = try await handler(request)
                shared.retry.withLock { $0.ended() }
                return response
            } catch {
                if let refusal = error as? any ClientRefusal { throw refusal.problem }
                if let problem = Problem(notStorable: error) { throw problem }
                guard let problem = Problem(unavailable: error) else { throw error }
                shared.retry.withLock { _ = $0.failed(error) }
                throw problem
            }
        }
        return route
    }
}

/// All requests of a route fail and recover as one.
private final class SharedRetry: Sendable {
    let retry: Mutex<Retry>
    init(_ retry: sending Retry) { self.retry = Mutex(retry) }
}
