import Events
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/group-visits: stays of devices in groups of beacons.
    var groupVisits: Route {
        Route(.get, "/v1/group-visits", handler: .task { try await listGroupVisits($0) })
    }

    /// GET /v1/group-visits/stream: devices that enter and leave groups of beacons.
    var groupEvents: Route {
        Route(
            .get, "/v1/group-visits/stream",
            handler: .task { request in
                try await follow(groupStream, request) {
                    try await stored.pool.hasRows(
                        ofSite: $0.text, in: KnownGroupVisit.columns.table)
                }
            })
    }

    private func listGroupVisits(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.site(of: request)
        let (device, buildings) = try filter(request, site)
        let query = try VisitQuery<KnownGroupVisit>(
            request, site: site.text, device: device,
            places: buildings.map { try floors(in: $0, of: site) })
        let format = try request.accepted(VisitFormat.self, "Visits of groups")
        let (found, next) = try await query.run(stored.pool)
        let sight = try sight(request, at: site)
        let visits = found.filter { sight.shows($0.group) && sight.shows($0.floor) }
        try await published.checkIsKnown(
            site, hasRows: !visits.isEmpty || request.firstQuery("after") != nil
        ) { try await stored.pool.hasRows(ofSite: site.text, in: KnownGroupVisit.columns.table) }
        return Self.page(format, format.encode(visits), next: next)
    }
}
