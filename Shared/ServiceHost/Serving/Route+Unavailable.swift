public import HTTP
public import Retrying
import Synchronization

extension [Route] {
    /// The routes as a process serves them: costly ones are limited, and each answers 503 while the
    /// log or the database is away.
    public func asServed(notices: Notices) -> [Route] {
        let heavy = HeavyReads()
        return map { heavy.bounding($0).answeringWhileAway(notices: notices) }
    }
}

extension Route {
    /// The route with a proper answer to errors of PostgreSQL and the log, which would otherwise
    /// become 500. While one of them is away that is 503 with Retry-After. For a value that the
    /// database can't hold it is 422.
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

/// One retry that all requests of a route share, so that failure and recovery are logged once.
private final class SharedRetry: Sendable {
    let retry: Mutex<Retry>
    init(_ retry: sending Retry) { self.retry = Mutex(retry) }
}
