import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/sites/{site}/visit-summary: how many visits each zone had, and how long they were.
    var visitSummary: Route {
        Route(
            .get, "/v1/sites/{site}/visit-summary",
            handler: .task { try await summarizeVisits($0) })
    }

    private static let mostZones = 10_000

    private func summarizeVisits(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.publishedSite(of: request)
        let period = try FigurePeriod(request, wholeHours: false)
        var kind: ZoneKind?
        if let text = request.firstQuery("kind") {
            kind = ZoneKind(rawValue: text)
            guard kind != nil else {
                let known = ZoneKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.fieldOutOfRange, "kind is one of \(known).")
            }
        }
        var places: [String]?
        if case .buildings(let some) = try request.reach(at: site) {
            places = try zones(in: some.map(\.text).sorted(), of: site)
        }
        let limit = try request.pageLimit(maximum: Self.mostZones)
        let found = try await VisitSummaryQuery(
            site: site.text, period: period, kind: kind, places: places,
            after: try after(request), limit: limit
        ).run(stored.pool)
        let sight = try sight(request, at: site)
        return .json(
            ListAnswer.page(
                found.filter { sight.shows($0.zone) },
                next: found.count == limit ? found.last?.cursor : nil))
    }

    private func after(_ request: HTTPRequest) throws(Problem) -> Zone? {
        guard let text = request.firstQuery("after") else { return nil }
        guard let zone = VisitSummary.zone(ofCursor: text) else { throw Problem.cursorMalformed }
        return zone
    }
}

/// Counts the visits that began in a period, by zone.
struct VisitSummaryQuery: Sendable {
    let site: String
    let period: FigurePeriod
    /// Nil for all kinds of zone.
    let kind: ZoneKind?
    /// Nil for all zones.
    let places: [String]?
    let after: Zone?
    let limit: Int

    func run(_ pool: PostgresPool) async throws -> [VisitSummary] {
        try await pool.read(
            """
            SELECT kind, zone, count(*) AS visits, count(DISTINCT device) AS devices,
                count(*) FILTER (WHERE "left" IS NULL) AS lasting,
                percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median,
                avg(seconds) AS mean, max(seconds) AS longest
            FROM (
                SELECT kind, zone, device, "left",
                    extract(epoch FROM "left" - entered)::float8 AS seconds
                FROM visits.visits WHERE site = $1 AND entered >= $2 AND entered < $3
                    AND ($4::text IS NULL OR kind = $4)
                    AND ($5::text[] IS NULL OR zone = ANY ($5))
                    AND ($6::text IS NULL OR (kind, zone) > ($6, $7::text))) AS begun
            GROUP BY kind, zone ORDER BY kind, zone LIMIT $8
            """,
            [
                .text(site), .timestamp(microseconds: period.from.microseconds),
                .timestamp(microseconds: period.until.microseconds),
                .optional(kind?.rawValue, PostgresValue.text),
                .optional(places) { .textArray($0) },
                .optional(after?.kind.rawValue, PostgresValue.text),
                .optional(after?.id.text, PostgresValue.text), .int(limit),
            ]
        ).map { row in
            let kind: String = try row[0]
            return VisitSummary(
                zone: Zone(ZoneKind(rawValue: kind) ?? .room, ZoneID(try row[1])),
                visits: try row[2], devices: try row[3], lasting: try row[4],
                medianSeconds: try row[5], meanSeconds: try row[6], longestSeconds: try row[7])
        }
    }
}
