public import HTTP
public import LogViews
import Wire

extension [Route] {
    /// The routes as they are served while tables and log may not fit: reading goes on, and changes
    /// are answered 503. So nothing new is decided on tables that have forgotten something.
    ///
    /// - Parameter exempt: patterns whose requests change no table that an outbox belongs to.
    public func refusingChanges(
        unless guards: [OutboxGuard], but exempt: Set<String> = []
    ) -> [Route] {
        map { !$0.method.isSafe && !exempt.contains($0.pattern) ? $0.refusing(unless: guards) : $0 }
    }
}

extension Route {
    fileprivate func refusing(unless guards: [OutboxGuard]) -> Route {
        @Sendable func problem() -> Problem? {
            guard let fit = guards.map(\.fit).first(where: { $0?.allowsChanges != true }) else {
                return nil
            }
            guard fit != nil else { return .starting }
            return Problem(
                .notReconciled,
                "PostgreSQL and the log are not of the same moment, so nothing is changed until an "
                    + "operator has reconciled them.", retryAfterSeconds: 60)
        }
        var route = self
        switch handler {
        case .task(let handler):
            route.handler = .task { request in
                if let problem = problem() { throw problem }
                return try await handler(request)
            }
        case .callback(let handler):
            route.handler = .callback { request, responder in
                if let problem = problem() { return responder.respond(problem) }
                handler(request, responder)
            }
        }
        return route
    }
}
