import Events
import Geometry
import HTTP
import Pictures
import QRCodes
import ServiceHost
import Site
import SiteMap
import Threads
import Wire

/// "You are here" for a wall, with a QR code of the page at the place. A PDF file may have the
/// sheets of all locations of a floor.
struct PosterRoutes: Sendable {
    /// Sheets in one file. Each takes some tens of milliseconds.
    static let mostSheets = 100

    let sites: SiteDirectory
    /// The address at which browsers reach Whereabouts, without a slash at its end.
    let publicURL: String
    /// Sheets are drawn one after the other, since a hundred take seconds.
    private let work = LongWork("posters")

    init(sites: SiteDirectory, publicURL: String) {
        self.sites = sites
        self.publicURL = publicURL
    }

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/locations/{id}/poster.svg",
                handler: .task { try await one($0, of: .location, isPDF: false) }),
            Route(
                .get, "/v1/sites/{site}/locations/{id}/poster.pdf",
                handler: .task { try await one($0, of: .location, isPDF: true) }),
            Route(
                .get, "/v1/sites/{site}/rooms/{id}/poster.svg",
                handler: .task { try await one($0, of: .room, isPDF: false) }),
            Route(
                .get, "/v1/sites/{site}/rooms/{id}/poster.pdf",
                handler: .task { try await one($0, of: .room, isPDF: true) }),
            Route(
                .get, "/v1/sites/{site}/floors/{floor}/posters.pdf",
                handler: .task { try await floor($0) }),
        ]
    }

    private enum Kind { case location, room }

    private func one(
        _ request: HTTPRequest, of kind: Kind, isPDF: Bool
    ) async throws -> HTTPResponse {
        let (site, index) = try published(request)
        let id = request.parameters["id"] ?? ""
        let language = try request.language()
        let found =
            kind == .room
            ? index.room(RoomID(id)).flatMap { Place($0, index) }
            : index.location(LocationID(id)).flatMap { Place($0, index) }
        guard let place = found, let map = SiteMap(of: index, floor: place.floor.id) else {
            throw Problem(
                .thingUnknown, "There is no such place with a point that strangers may see.")
        }
        try request.check(at: site, building: place.floor.building)
        let poster = try poster(of: place, at: site, language)
        guard isPDF else {
            let svg = await work.run { poster.svg(map) }
            return try answer(svg.map { Array($0.utf8) }, "image/svg+xml")
        }
        return try await pdf([poster], map)
    }

    private func floor(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (site, index) = try published(request)
        let language = try request.language()
        let limit = try request.wholeNumber("limit", in: 1...Self.mostSheets) ?? Self.mostSheets
        let after = request.firstQuery("after") ?? ""
        let id = FloorID(request.parameters["floor"] ?? "")
        guard let floor = index.floor(id), let map = SiteMap(of: index, floor: id) else {
            throw Problem(other: .floorUnknown, "The site has no floor \(id).")
        }
        try request.check(at: site, building: floor.building)
        let places = index.document.locations.filter { $0.floor == id && $0.id.text > after }
            .sorted { $0.id.text < $1.id.text }.prefix(limit).compactMap { Place($0, index) }
        guard !places.isEmpty else {
            throw Problem(.thingUnknown, "The floor has no location, or none after that one.")
        }
        let posters = try places.map { try poster(of: $0, at: site, language) }
        return try await pdf(posters, map)
    }

    private func published(_ request: HTTPRequest) throws(Problem) -> (SiteID, SiteIndex) {
        let site = try sites.site(of: request)
        // Strangers read what hangs on a wall, whoever has printed it.
        guard let seen = sites.published(site, for: .stranger) else {
            throw sites.isReady ? Problem.siteUnknown(site) : Problem.starting
        }
        return (site, seen.index)
    }

    private func poster(
        of place: Place, at site: SiteID, _ language: String?
    ) throws(Problem) -> Poster {
        let words = PageWords.words(inLanguage: language)
        let address = publicURL + PageLink.own(["s", site.text], [("at", place.id)])
        guard let code = QRCode(address) else {
            throw Problem(.internalError, "The address is too long for a QR code.")
        }
        let level = place.floor.names.text(in: words.code) ?? place.floor.level
        return Poster(
            heading: words("page.poster.here"), name: place.names.text(in: language) ?? place.name,
            floor: level.count <= 3 ? words("page.level", ["level": level]) : level,
            request: words("page.poster.scan"), address: address,
            code: (0..<code.side).map { row in
                (0..<code.side).map { code.isDark(row: row, column: $0) }
            }, point: place.point, language: language)
    }

    private func pdf(_ posters: [Poster], _ map: SiteMap) async throws -> HTTPResponse {
        let file = await work.run {
            try? PDFDocument.pdf(pages: posters.map { Array($0.svg(map).utf8) })
        }
        return try answer(file ?? nil, "application/pdf")
    }

    private func answer(_ file: [UInt8]?, _ type: String) throws(Problem) -> HTTPResponse {
        guard let file else { throw Problem(.internalError, "The sheet can't be drawn.") }
        return HTTPResponse(
            headers: [
                ("content-type", type), ("cache-control", "private, no-cache"),
                (
                    "content-security-policy",
                    "default-src 'none'; style-src 'unsafe-inline'; sandbox"
                ),
            ], body: .bytes(file))
    }

    /// A place for a sheet.
    private struct Place {
        var id: String
        var name: String
        var names: Translations
        var floor: FloorRecord
        var point: Point

        init?(_ location: LocationRecord, _ index: SiteIndex) {
            guard let floor = index.floor(location.floor) else { return nil }
            let room = location.room.flatMap { index.room($0) }
            id = location.id.text
            name = location.name ?? room?.name ?? location.id.text
            names = location.name == nil ? room?.names ?? location.names : location.names
            self.floor = floor
            point = location.point
        }

        init?(_ room: RoomRecord, _ index: SiteIndex) {
            guard let floor = index.floor(room.floor),
                let point = room.outline.polygon?.centroid
            else { return nil }
            id = room.id.text
            name = room.name
            names = room.names
            self.floor = floor
            self.point = point
        }
    }
}
