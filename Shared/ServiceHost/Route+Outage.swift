import EventLog
import HTTP
import Postgres

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

extension Problem {
    /// What a client is told of an error that passes by itself; nil for any other error.
    init?(outage error: any Error) {
        switch error {
        case let error as PostgresError where error.isUndefinedTable:
            // The tables are made while the service starts.
            self.init(
                503, "starting", "The service has just started; send again.", retryAfterSeconds: 1)
        case let error as PostgresError where error.isRetriable:
            self.init(
                503, "database-unreachable", "The database can't be reached; try again.",
                retryAfterSeconds: 2)
        case let error as EventLogError where error.isRetriable:
            self.init(
                503, "log-unreachable", "The log can't be reached; try again.",
                retryAfterSeconds: 2)
        default: return nil
        }
    }
}
