import Events
import HTTP
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/sites/{site}/beacon-batteries: the site's beacons by their batteries, lowest first.
    var beaconBatteries: Route {
        Route(
            .get, "/v1/sites/{site}/beacon-batteries",
            handler: .task { try listBatteries($0) })
    }

    /// GET /v1/sites/{site}/beacon-batteries/stream: each level that is noted, as it is.
    var batteryEvents: Route {
        Route(
            .get, "/v1/sites/{site}/beacon-batteries/stream",
            handler: .task { try await followBatteries($0) })
    }

    private func followBatteries(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.publishedSite(of: request)
        return try await batteryStream.response(
            StreamTopic(site: site.text, device: nil), token: request.principal?.id ?? "",
            beginning: published[whole: site]?.index.document.borrows?.since,
            since: try since(of: request), lastEventID: request.header("last-event-id"))
    }

    private func listBatteries(_ request: HTTPRequest) throws -> HTTPResponse {
        let site = try published.publishedSite(of: request)
        guard let index = published[whole: site]?.index, locating.batteries.isReady else {
            throw Problem.starting
        }
        let limit = try request.pageLimit(maximum: 10_000)
        var after: ListedBattery.Place?
        if let text = request.firstQuery("after") {
            after = ListedBattery.Place(text)
            guard after != nil else { throw Problem.cursorMalformed }
        }
        let levels = locating.batteries[site]
        let rows = index.document.beacons.compactMap { beacon -> ListedBattery? in
            guard let level = levels[beacon.id], index.beacons.hasBattery(beacon) else {
                return nil
            }
            let row = ListedBattery(beacon, level)
            return after.map { row.place > $0 } ?? true ? row : nil
        }.sorted { $0.place < $1.place }
        return .json(ListAnswer.page(Array(rows.prefix(limit)), limit: limit))
    }
}
