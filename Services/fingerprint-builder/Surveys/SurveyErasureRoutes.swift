import Events
import HTTP
import Postgres
import Privacy
import ServiceHost
import Wire

/// `GET /v1/survey-erasures/{id}`: whether the surveys of an erased device are gone, and no radio
/// map has them any more. `GET /v1/kept-surveys`: the surveys of a device. Only services ask.
struct SurveyErasureRoutes: Sendable {
    let pool: PostgresPool

    var all: [Route] {
        [
            Route(.get, "/v1/survey-erasures/{id}", handler: .task { try await erasure($0) }),
            Route(.get, "/v1/kept-surveys", handler: .task { try await kept($0) }),
        ]
    }

    private func kept(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let site = SiteID(validating: request.firstQuery("site") ?? ""),
            let device = DeviceID(validating: request.firstQuery("device") ?? "")
        else { throw Problem(.idMalformed, "Name the site and the device by their ids.") }
        let row = try await pool.query(
            """
            SELECT count(*) AS count, min(at) AS first, max(at) AS last,
                (SELECT count(*) FROM fingerprint_builder.measurements
                    JOIN fingerprint_builder.surveys AS theirs ON theirs.id = survey
                    WHERE theirs.site = $1 AND theirs.device = $2) AS readings,
                (SELECT count(*) FROM fingerprint_builder.taps AS theirs
                    WHERE theirs.site = $1 AND theirs.device = $2) AS taps
            FROM fingerprint_builder.surveys WHERE site = $1 AND device = $2
            """, [.text(site.text), .text(device.text)])[0]
        let (first, last): (Int64?, Int64?) = (try row["first"], try row["last"])
        return .json(
            DeviceReport.json([
                KeptData(
                    .table("fingerprint_builder.surveys"), rows: try row["count"],
                    first: first.map(Timestamp.init(microseconds:)),
                    last: last.map(Timestamp.init(microseconds:)),
                    path: "/v1/sites/\(site)/surveys"),
                KeptData(.table("fingerprint_builder.measurements"), rows: try row["readings"]),
                KeptData(.topic("survey-records")), KeptData(.topic("surveys")),
                KeptData(
                    .table("fingerprint_builder.taps"), rows: try row["taps"],
                    path: "/v1/sites/\(site)/taps"),
                KeptData(.topic("taps")),
                KeptData(.table("radio_maps.artifacts")),
            ]))
    }

    private func erasure(_ request: HTTPRequest) async throws -> HTTPResponse {
        let id = try request.id(of: "An erasure")
        let isDone: Bool = try await pool.query(
            """
            SELECT EXISTS (SELECT FROM fingerprint_builder.erasures
                WHERE id = $1 AND done_at IS NOT NULL) AS done
            """, [.uuid(id.bytes)])[0]["done"]
        return .json(ErasureAnswer.json(isDone: isDone))
    }
}
