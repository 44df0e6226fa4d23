import Events
import HTTP
import LogViews
import Postgres
import ServiceHost
import Wire

/// Lists the taps of a site, and makes surveys of those that a surveyor trusts.
struct TapRoutes: Sendable {
    private static let pageMaximum = 1_000

    let sites: SiteDirectory
    let pool: PostgresPool
    let bell: OutboxBell

    var all: [Route] {
        [
            Route(.get, "/v1/sites/{site}/taps", handler: .task { try await list($0) }),
            Route(
                .post, "/v1/sites/{site}/taps/{id}/survey",
                handler: .task { try await makeSurvey($0) }),
        ]
    }

    private func list(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.publishedSite(of: request)
        let page = try Page(request, limit: Self.pageMaximum)
        let after = try page.after.isEmpty ? nil : cursor(page.after)
        let taps = try await TapStore(pool: pool).page(of: site, after: after, limit: page.limit)
        return page.response(taps)
    }

    private func cursor(_ text: String) throws(Problem) -> EventID {
        guard let id = EventID(text) else { throw Problem.cursorMalformed }
        return id
    }

    /// Appends a survey with the tap's id, scan and place, and the caller as its author. To ask
    /// again changes nothing. The next map judges it, as any survey.
    private func makeSurvey(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        guard let caller = request.caller else { throw Problem.tokenMissing }
        guard let id = EventID(request.parameters["id"] ?? ""),
            let tap = try await TapStore(pool: pool).tap(id, of: site)
        else { throw Problem(.tapUnknown, "The site has no such tap.") }
        let survey = SurveyRecorded(scan: tap.scan, place: tap.place, author: caller.id)
        let record = survey.record(source: MapBuilder.source, sender: caller.id)
        try await pool.withTransaction { connection in
            try RadioMapStore.outbox.put([record], connection: connection)
        }
        bell.ring()
        return HTTPResponse(status: 202)
    }
}
