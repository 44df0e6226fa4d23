import Events
import HTTP
import Postgres
import ServiceHost
import Wire

/// `GET /v1/erasures/{id}`: whether the positions and visits of an erased device are gone. Only
/// services ask.
struct ErasureRoutes: Sendable {
    let pool: PostgresPool

    var all: [Route] {
        [Route(.get, "/v1/erasures/{id}", handler: .task { try await erasure($0) })]
    }

    private func erasure(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let id = EventID(request.parameters["id"] ?? "") else {
            throw Problem(.idMalformed, "An erasure's id is a UUID.")
        }
        let isDone: Bool = try await pool.query(
            """
            SELECT EXISTS (SELECT FROM locator.erasures WHERE id = $1 AND log_erased_at IS NOT NULL)
                AND EXISTS (SELECT FROM visits.erasures WHERE id = $1 AND log_erased_at IS NOT NULL)
                AS done
            """, [.uuid(id.bytes)])[0]["done"]
        return .json(ErasureAnswer.json(isDone: isDone))
    }
}
