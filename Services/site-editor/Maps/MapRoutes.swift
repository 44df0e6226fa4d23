import Events
import HTTP
import ServiceHost
import Site
import SiteMap
import Wire

/// Maps of floors and of the outdoors as data, drawings and pictures.
struct MapRoutes: Sendable {
    let sites: SiteDirectory
    /// Nil where no drafts are served.
    private let drafts: DraftIndexes?
    private let drawings = MapDrawings()
    private let draftDrawings = MapDrawings(mostFiles: 50, mostBytes: 16 << 20)

    init(sites: SiteDirectory, drafts: DraftIndexes? = nil) {
        (self.sites, self.drafts) = (sites, drafts)
    }

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/map",
                handler: .task { try await map($0, floor: nil) }),
            Route(
                .get, "/v1/sites/{site}/floors/{floor}/map",
                handler: .task { request in
                    try await map(request, floor: FloorID(request.parameters["floor"] ?? ""))
                }),
        ]
    }

    private func map(_ request: HTTPRequest, floor: FloorID?) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let format = try request.accepted(MapFileType.self, "Maps")
        let language = try request.language()
        let width = try request.wholeNumber("width", in: MapPage.widthsPixels)
        let route = try request.drawnRoute()
        let part = try request.drawnPart()
        let seen = try await sites.drawn(site, for: request, drafts)
        if let floor, seen.index.floor(floor) == nil {
            throw Problem(other: .floorUnknown, "The site has no floor \(floor).")
        }
        // Drawings in other languages and widths, or with another way, have the same tag. They have
        // other addresses, so clients keep them apart.
        let tag = "\"\(seen.tag)-\(format)\""
        let headers = [
            ("etag", tag), ("cache-control", "private, no-cache"),
            ("vary", "accept, authorization, cookie"),
            ("content-type", format.rawValue), ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        ]
        if request.knows(tag) {
            return HTTPResponse(status: 304, headers: Array(headers.prefix(3)))
        }
        let asked = MapDrawings.Asked(
            site: site, version: seen.version, besides: seen.besides, reader: seen.reader,
            floor: floor, format: format, language: language,
            widthPixels: width ?? MapPage.ordinaryWidthPixels, route: route, part: part)
        let file = try await (seen.isDraft ? draftDrawings : drawings).file(
            asked, of: seen.index)
        return HTTPResponse(status: 200, headers: headers, body: .bytes(file))
    }
}

/// The format of a map, chosen by the request's Accept. The default is GeoJSON; a client that
/// accepts any image gets a picture.
enum MapFileType: String, CaseIterable {
    case geojson = "application/geo+json"
    case png = "image/png"
    case svg = "image/svg+xml"
}
