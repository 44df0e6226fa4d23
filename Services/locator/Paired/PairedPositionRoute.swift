import Events
import HTTP
import HTTPClient
import Postgres
import ServiceHost
import Site
import Wire

/// GET /v1/sites/{site}/pairings/{id}/position: visitors see where the scanner or tag is that they
/// are paired with, as long as they are.
///
/// Site-editor is asked with the visitor's own session which pairings it has. So neither the
/// services' secret nor somebody else's session finds a position here. Editors see all pairings of
/// a site, but only the positions of their own.
struct PairedPositionRoute: Sendable {
    private static let timeoutSeconds = 5.0

    let published: SiteDirectory
    let clock: EventClock
    let siteEditor: Neighbour
    let pool: PostgresPool

    var route: Route {
        Route(
            .get, "/v1/sites/{site}/pairings/{id}/position",
            handler: .task { try await position($0) })
    }

    private func position(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        let id = try request.id(of: "A pairing")
        guard let pairing = try await pairing(id, at: site, for: request) else {
            throw Problem(.pairingUnknown, "There is no such pairing that has not ended.")
        }
        let row = try await pool.query(
            """
            SELECT event::text AS event FROM locator.latest_positions
            WHERE site = $1 AND device = $2
            """, [.text(site.text), .text(pairing.scanner.text)]
        ).first
        let event: String? = try row?["event"]
        let newest = try event.map { try PositionEstimated(json: Array($0.utf8)) }
        // Where the device was with somebody before is not for this visitor. A scan may come late,
        // or have the time of a clock that is ahead, so both times count.
        guard let newest, newest.at >= pairing.from, newest.locatedAt >= pairing.from else {
            throw Problem(.positionUnknown, "The device has no position since you are paired.")
        }
        let sight = PlaceSight(request.reader(at: site), at: published[whole: site])
        var response = HTTPResponse.json(
            PairedPosition.json(sight.position(newest), at: clock.now))
        response.headers.append(("cache-control", "no-store"))
        return response
    }

    private func pairing(
        _ id: EventID, at site: SiteID, for request: HTTPRequest
    ) async throws -> ActivePairing? {
        let away = Problem(
            .starting, "The service that knows pairings does not answer; try again.",
            retryAfterSeconds: 2)
        let answer: HTTPClientResponse
        do {
            answer = try await siteEditor.get(
                "/v1/sites/\(site)/pairings?mine=true",
                headers: TokenDirectory.credentials(of: request),
                timeoutSeconds: Self.timeoutSeconds)
        } catch {
            throw away
        }
        switch answer.status {
        case 200: return try ActivePairing(id, in: answer.body)
        case 401, 429:
            let refusal = AnsweredProblem(json: answer.body)
            guard let code = refusal.code else { throw away }
            throw Problem(
                code, refusal.detail ?? "The service that knows pairings refuses this caller.",
                retryAfterSeconds: answer.headers["retry-after"].flatMap { Int($0) })
        default: throw away
        }
    }
}
