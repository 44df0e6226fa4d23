import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/visits: stays of devices in zones, rooms and buildings.
    func visits(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        let (device, buildings) = try filter(request, site)
        let query = try VisitQuery<KnownVisit>(
            request, site: site.text, device: device,
            places: buildings.map { try zones(in: $0, of: site) }, mayWantAll: true)
        let (format, file) = try visitFormat(request, site)
        let sight = try sight(request, at: site)
        if query.wantsAll {
            guard format.isEndless else {
                throw Problem(
                    .notAcceptable,
                    "With limit=all visits come as application/x-ndjson or text/csv.")
            }
            let pages = VisitPages(
                query, in: stored.pool, format, isFile: !file.isEmpty, sight)
            let headers = [(name: "content-type", value: format.rawValue)] + file
            return try await completeLists.all(of: pages, headers: headers, request) {
                try await checkVisits(request, site, hasRows: $0)
            }
        }
        let (found, next) = try await query.run(stored.pool)
        let visits = found.filter { sight.shows($0.zone) }
        try await checkVisits(request, site, hasRows: !visits.isEmpty)
        var response = Self.page(format, format.encode(visits), next: next)
        response.headers += file
        return response
    }

    /// Refuses a misspelt site or zone where the answer would be empty.
    private func checkVisits(
        _ request: HTTPRequest, _ site: SiteID, hasRows: Bool
    ) async throws {
        try await published.checkIsKnown(
            site, hasRows: hasRows || request.firstQuery("after") != nil
        ) { try await stored.pool.hasRows(ofSite: site.text, in: KnownVisit.columns.table) }
        try await checkZone(request, site, hasRows: hasRows) { zone in
            // Who sees a part of the site must not learn what is stored of the rest.
            guard try request.reach(at: site) == .everybody else { return false }
            return try await stored.pool.hasRows(
                ofSite: site.text, with: zone, in: KnownVisit.columns.visited,
                of: KnownVisit.columns.table)
        }
    }
}
