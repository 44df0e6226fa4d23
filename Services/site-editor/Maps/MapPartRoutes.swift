import Events
import HTTP
import ServiceHost
import Site
import SiteMap
import Wire

/// Maps in parts, in the form that a screen draws: an overview, squares outdoors, and floors.
struct MapPartRoutes: Sendable {
    let sites: SiteDirectory
    /// Nil where no drafts are served.
    private let drafts: DraftIndexes?
    private let parts = MapParts()
    private let draftParts = MapParts(mostFiles: 400, mostBytes: 16 << 20)

    init(sites: SiteDirectory, drafts: DraftIndexes? = nil) {
        (self.sites, self.drafts) = (sites, drafts)
    }

    var all: [Route] {
        [
            Route(
                .get, "/v1/sites/{site}/map/overview",
                handler: .task { try await answer($0, .overview) }),
            Route(
                .get, "/v1/sites/{site}/map/parts/{zoom}/{x}/{y}",
                handler: .task { try await answer($0, .outdoors($0.mapTile())) }),
            Route(
                .get, "/v1/sites/{site}/floors/{floor}/map/part",
                handler: .task { request in
                    let floor = FloorID(request.parameters["floor"] ?? "")
                    return try await answer(request, .floor(floor))
                }),
        ]
    }

    /// The form of the JSON, in ETags: raise it when the JSON of a site changes with the program.
    private static let form = 1

    private func answer(
        _ request: HTTPRequest, _ part: MapParts.Part
    ) async throws -> HTTPResponse {
        let site = try sites.site(of: request)
        let language = try request.language()
        let seen = try await sites.drawn(site, for: request, drafts)
        if case .floor(let floor) = part, seen.index.floor(floor) == nil {
            throw Problem(other: .floorUnknown, "The site has no floor \(floor).")
        }
        let tag = "\"\(seen.tag)-parts-\(Self.form)\""
        if request.knows(tag) {
            return HTTPResponse(
                status: 304,
                headers: [
                    ("etag", tag), ("cache-control", "private, no-cache"),
                    ("vary", "authorization, cookie"),
                ])
        }
        let asked = MapParts.Asked(
            site: site, version: seen.version, besides: seen.besides, reader: seen.reader,
            part: part, language: language)
        let parts = seen.isDraft ? draftParts : parts
        return tagged(try await parts.file(asked, of: seen.index), tag)
    }
}

extension HTTPRequest {
    /// The square of the path.
    /// - Throws: a `Problem` for a square that no map has parts for.
    fileprivate func mapTile() throws(Problem) -> MapTile {
        let numbers = ["zoom", "x", "y"].map { Int(parameters[$0] ?? "") ?? -1 }
        guard let tile = MapTile(zoom: numbers[0], x: numbers[1], y: numbers[2]) else {
            throw Problem(
                .numberOutOfRange,
                "Send zoom from \(MapTile.zooms.lowerBound) to \(MapTile.zooms.upperBound), "
                    + "and x and y from 0 to less than 2^zoom.")
        }
        return tile
    }
}
