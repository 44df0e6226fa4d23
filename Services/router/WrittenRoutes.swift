import Directions
import Events
import Geometry
import HTTP
import JSON
import ServiceHost
import Site
import Wayfinding
import Wire

/// The answer to a question for a route, as it is sent.
struct WrittenRoutes {
    let site: ReadySite
    let question: RouteQuestion
    let routes: [IndoorRoute]
    let reason: NoRoute?

    /// - Throws: a `Problem` for a place that does not exist and a question that is none.
    init(site: ReadySite, question: RouteQuestion, answer: RouteAnswer) throws(Problem) {
        self.site = site
        self.question = question
        switch answer {
        case .found(let routes):
            self.routes = routes
            reason = nil
        case .none(.unknownPlace(let place)):
            throw Problem(.placeUnknown, "The site has no \(place.words).")
        case .none(.malformed(let why)): throw Problem(.routeMalformed, "\(why).")
        case .none(let why):
            routes = []
            reason = why
        }
    }

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    /// What both forms of the answer begin with, then the routes or why there are none.
    func writeMembers(to writer: inout JSONWriter) {
        writeHead(to: &writer)
        writer.name("routes")
        writer.beginArray()
        for route in routes { write(route, to: &writer) }
        writer.endArray()
        writeReason(to: &writer)
    }

    func writeHead(to writer: inout JSONWriter) {
        writer.field("found", reason == nil)
        writer.field("site", site.id.text)
        writer.field("siteVersion", site.version)
        writer.field("profile", question.query.profile.name.rawValue)
        writer.field("departAt", microseconds: question.query.departAt.microseconds)
        writer.field("language", question.language.code)
    }

    private func write(_ route: IndoorRoute, to writer: inout JSONWriter) {
        writer.beginObject()
        writeFigures(of: route, to: &writer)
        writer.name("unknownFacts")
        write(route.unknownFacts, to: &writer)
        writer.name("legs")
        writer.beginArray()
        for leg in route.legs { write(leg, to: &writer) }
        writer.endArray()
        writer.name("instructions")
        writer.beginArray()
        for instruction in site.guide.instructions(for: route, in: question.language) {
            write(instruction, to: &writer)
        }
        writer.endArray()
        writer.endObject()
    }

    /// What a route is in figures, without its line.
    func writeFigures(of route: IndoorRoute, to writer: inout JSONWriter) {
        writer.field("distanceMetres", route.distanceMetres, decimals: 2)
        writer.field("seconds", route.seconds, decimals: 1)
        writer.field("arriveAt", microseconds: route.arriveAt.microseconds)
        let origins = question.origins
        if origins.indices.contains(route.destination) {
            writer.field("destination", origins[route.destination])
        }
        writer.field("endRoom", route.endRoom?.text)
        route.approximateStart?.write("approximateStart", to: &writer)
        route.approximateEnd?.write("approximateEnd", to: &writer)
        writer.field(
            "narrowestMetres", route.legs.compactMap(\.narrowestMetres).min(), decimals: 3)
        writer.field(
            "steepestSlope",
            route.legs.compactMap(\.steepestSlope).max { abs($0) < abs($1) }, decimals: 4)
        writer.name("lifts")
        writer.beginArray()
        for leg in route.legs {
            if case .connection(let id, let kind) = leg.passage,
                kind == .lift || kind == .platformLift
            {
                writer.string(id.text)
            }
        }
        writer.endArray()
    }

    // MARK: Why there is none

    func writeReason(to writer: inout JSONWriter) {
        guard let reason else { return }
        writer.name("reason")
        writer.beginObject()
        if let obstacle = Obstacle(reason) {
            writer.field("code", obstacle.rawValue)
            writer.field("text", question.language.sentence(obstacle))
        }
        if case .barriers(let barriers) = reason {
            writer.name("barriers")
            writer.beginArray()
            for barrier in barriers { write(barrier, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }

    private func write(_ barrier: Barrier, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("connection", barrier.connection.text)
        writer.field("kind", barrier.kind.rawValue)
        let names = site.guide.names(in: question.language)
        writer.field("name", names.connection(barrier.connection))
        writer.field("floor", barrier.floor?.text)
        writer.field("level", level(barrier.floor))
        if let point = barrier.point { writePoint(point, to: &writer) }
        writer.name("rooms")
        writer.beginArray()
        for room in barrier.rooms { writer.string(room.text) }
        writer.endArray()
        writer.field(
            "text",
            site.guide.explanation(of: barrier, in: question.language, clock: question.clock))
        writer.name("rules")
        writer.beginArray()
        for rule in barrier.rules { rule.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

extension ApproximateEnd {
    fileprivate func write(_ name: String, to writer: inout JSONWriter) {
        writer.name(name)
        writer.beginObject()
        writer.field("missing", missing.rawValue)
        writer.field("room", room?.text)
        writer.field("building", building?.text)
        writer.field("straightMetres", straightMetres, decimals: 1)
        writer.endObject()
    }
}

extension RoutePlace {
    /// As a problem names it.
    fileprivate var words: String {
        switch self {
        case .room(let id): "room \(id)"
        case .location(let id): "location \(id)"
        case .kind(let kind, _): "room of the kind \(kind)"
        case .entry(let id): "entry \(id) of the directory"
        case .zone(let id): "zone \(id)"
        case .building(let id): "building \(id)"
        case .entrance(let id): id.map { "building \($0)" } ?? "way out"
        case .floor(let id): "floor \(id), or none that is open to the public"
        case .point(let floor, _, _): floor.map { "floor \($0)" } ?? "such point"
        case .geographic(_, let level, _): level.map { "level \($0) there" } ?? "such point"
        }
    }
}
