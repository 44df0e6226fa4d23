import Events
import Geometry
import HTTP
import Postgres
import ServiceHost
import Site
import Wire

extension LocatorRoutes {
    /// GET /v1/sites/{site}/room-hours: how many positions and devices rooms had.
    var roomHours: Route {
        Route(.get, "/v1/sites/{site}/room-hours", handler: .task { try await countRooms($0) })
    }

    private static let mostRooms = 10_000

    private func countRooms(_ request: HTTPRequest) async throws -> HTTPResponse {
        let site = try published.publishedSite(of: request)
        guard let document = published[whole: site]?.index.document else {
            throw Problem.starting
        }
        let period = try FigurePeriod(request, wholeHours: true)
        let rooms = try countedRooms(request, site, document)
        let query = RoomHourQuery(site: site.text, rooms: rooms, period: period)
        let each = request.firstQuery("each") ?? "room"
        let limit = try request.pageLimit(maximum: Self.mostRooms)
        switch each {
        case "hour": return .json(ListAnswer.json(try await query.hours(stored.pool)))
        case "room":
            let known = Dictionary(
                document.rooms.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            let sight = try sight(request, at: site)
            let found = try await query.rooms(
                stored.pool, after: request.firstQuery("after"), limit: limit)
            let shown = found.compactMap { row -> RoomCount? in
                guard let id = row.room else { return row }
                guard sight.shows(id) else { return nil }
                var row = row
                row.floor = known[id]?.floor
                row.squareMetres = known[id].flatMap(\.squareMetres)
                return row
            }
            return .json(
                ListAnswer.page(
                    shown, next: found.count == limit ? found.last?.cursor : nil))
        default: throw Problem(.fieldOutOfRange, "each is room or hour.")
        }
    }

    /// The rooms that are counted; nil for all, with the positions in no room.
    private func countedRooms(
        _ request: HTTPRequest, _ site: SiteID, _ document: SiteDocument
    ) throws(Problem) -> [String]? {
        let sight = try sight(request, at: site)
        var rooms = document.rooms.filter { sight.shows($0.id) }
        var isAll = sight.isUnlimited
        if case .buildings(let some) = try request.reach(at: site) {
            let floors = Set(try floors(in: some.map(\.text), of: site))
            rooms.removeAll { !floors.contains($0.floor.text) }
            isAll = false
        }
        if let floor = try request.filled("floor") {
            let named = NamedRecord.floor(FloorID(floor))
            guard sight.shows(FloorID(floor)) else { throw named.problem }
            try named.check(in: document)
            rooms.removeAll { $0.floor.text != floor }
            isAll = false
        }
        if let room = try request.filled("room") {
            guard rooms.contains(where: { $0.id.text == room }) else {
                throw NamedRecord.room(RoomID(room)).problem
            }
            rooms.removeAll { $0.id.text != room }
            isAll = false
        }
        return isAll ? nil : rooms.map(\.id.text)
    }
}

extension RoomRecord {
    /// The area of the outline without the holes.
    fileprivate var squareMetres: Double? {
        guard let area = outline.polygon?.area else { return nil }
        return holes.reduce(area) { $0 - ($1.polygon?.area ?? 0) }
    }
}
