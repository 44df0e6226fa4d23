import Events
import HTTP
import Postgres
import ServiceHost
import Wire

/// `GET /v1/survey-erasures/{id}`: whether the surveys of an erased device are gone, and no radio
/// map has them any more. Only services ask.
struct SurveyErasureRoutes: Sendable {
    let pool: PostgresPool

    var all: [Route] {
        [Route(.get, "/v1/survey-erasures/{id}", handler: .task { try await erasure($0) })]
    }

    private func erasure(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let id = EventID(request.parameters["id"] ?? "") else {
            throw Problem(.idMalformed, "An erasure's id is a UUID.")
        }
        let isDone: Bool = try await pool.query(
            """
            SELECT EXISTS (SELECT FROM fingerprint_builder.erasures
                WHERE id = $1 AND done_at IS NOT NULL) AS done
            """, [.uuid(id.bytes)])[0]["done"]
        return .json(ErasureAnswer.json(isDone: isDone))
    }
}
