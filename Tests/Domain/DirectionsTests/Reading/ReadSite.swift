import Events
import Geometry
import MapFormats
import PublicData
import SampleSites
import Simulation
import Site
import SiteExchange
import Wayfinding

@testable import Directions

/// A site whose directions people have read.
struct ReadSite {
    var name: String
    var finder: WayFinder
    var guide: RouteGuide

    static let names = ["house", "museum", "moorgate", "polytech"]

    init(_ name: String, _ document: SiteDocument) throws {
        self.name = name
        let index = try SiteIndex(document)
        finder = WayFinder(try WayNetwork(index))
        guide = RouteGuide(index)
    }

    /// Nil for a public data set that is absent.
    static func named(_ name: String) throws -> ReadSite? {
        switch name {
        case "house": return try ReadSite(name, SimulatedBuilding.make(seed: 7).document)
        case "museum": return try ReadSite(name, SampleMuseum.document)
        case "moorgate": return try ReadSite(name, format: "osm", "osm/moorgate.osm.gz")
        case "polytech": return try ReadSite(name, format: "imdf", "imdf/polytech.imdf.zip")
        default: return nil
        }
    }

    private init?(_ name: String, format: String, _ file: String) throws {
        guard let path = SharedData.path(file), let format = MapFormat.named(format) else {
            return nil
        }
        try self.init(name, try format.read(path, .init()).document)
    }

    /// Rooms with names, locations with names, entries of the directory, and the way out.
    func places(_ need: Need) -> [RoutePlace] {
        let document = guide.site.document
        let rooms = document.rooms.filter { guide.isNamed($0.id) && !$0.isRestricted }
            .map { RoutePlace.room($0.id) }
        switch need {
        case .start:
            let locations = document.locations.filter { $0.name != nil }
                .map { RoutePlace.location($0.id) }
            return rooms + locations.prefix(20)
        case .end:
            return rooms + document.directory.map { .entry($0.id) }
        case .wayOut: return [.entrance(nil)]
        case .kind: return [.kind("toilet"), .kind("toilet", accessible: true)]
        case .outdoors:
            let ends = document.connections.flatMap(\.stops)
                .filter { $0.floor == nil }.map(\.point)
            return ends.map { .point(floor: nil, $0) }
        case .staff:
            return document.rooms.filter { $0.isRestricted && guide.isNamed($0.id) }.map {
                .room($0.id)
            }
        }
    }

    enum Need { case start, end, wayOut, kind, outdoors, staff }

    func name(_ place: RoutePlace) -> String {
        let names = guide.names(in: English())
        switch place {
        case .room(let id): return names.named(id) ?? "a \(names.kind(id).rawValue)"
        case .location(let id):
            return guide.site.document.locations.first { $0.id == id }?.name ?? "a location"
        case .entry(let id):
            return guide.site.document.directory.first { $0.id == id }?.name ?? "an entry"
        case .kind(let kind, let accessible): return accessible ? "accessible \(kind)" : kind
        case .entrance: return "the way out"
        case .point: return "a point outdoors"
        default: return "a place"
        }
    }
}
