public import Directions
public import Events
import Geometry
import JSON
public import Site
public import Wayfinding

/// The answer to a route request: the routes, or the reason why there is none.
public struct RouteDocument {
    let site: SiteID
    private let siteVersion: Int
    let index: SiteIndex
    let guide: RouteGuide
    private let locations: RouteLocations
    private let query: RouteQuery
    /// For each destination of the query, the index of the requested place that it stands for.
    private let origins: [Int]
    let language: any DirectionLanguage
    private let clock: LocalClock
    /// Whether each route has its steps for those who can't see.
    private let isSpoken: Bool
    let routes: [IndoorRoute]
    let reason: NoRoute?

    public init(
        at site: SiteID, version: Int, index: SiteIndex, guide: RouteGuide,
        locations: RouteLocations, query: RouteQuery, origins: [Int],
        language: any DirectionLanguage, clock: LocalClock, isSpoken: Bool = false,
        answer: RouteAnswer
    ) {
        self.site = site
        siteVersion = version
        self.index = index
        self.guide = guide
        self.locations = locations
        self.query = query
        self.origins = origins
        self.language = language
        self.clock = clock
        self.isSpoken = isSpoken
        switch answer {
        case .found(let routes): (self.routes, reason) = (routes, nil)
        case .none(let why): (routes, reason) = ([], why)
        }
    }

    /// Whether the traveller goes by touch, so that the words describe doors and handrails.
    var isByTouch: Bool { query.profile.name == .byTouch }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
        return writer.finish()
    }

    /// Writes the head, then the routes or the reason why there is none.
    func writeMembers(to writer: inout JSONWriter) {
        writeHead(to: &writer)
        writer.name("routes")
        writer.beginArray()
        for route in routes { write(route, to: &writer) }
        writer.endArray()
        writeReason(to: &writer)
    }

    /// - Parameter isAnswer: whether a route was asked for, so that there is one or none.
    func writeHead(to writer: inout JSONWriter, isAnswer: Bool = true) {
        if isAnswer { writer.field("found", reason == nil) }
        writer.field("site", site.text)
        writer.field("siteVersion", siteVersion)
        writer.field("profile", query.profile.name.rawValue)
        writer.field("departAt", microseconds: query.departAt.microseconds)
        writer.field("language", language.code)
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
        for instruction in guide.instructions(
            for: route, to: destination(of: route), isByTouch: isByTouch, in: language)
        {
            write(instruction, to: &writer)
        }
        writer.endArray()
        if isSpoken { writeSpoken(route, to: &writer) }
        writer.name("locations")
        writer.beginArray()
        for location in locations.passed(by: route) { writer.string(location.text) }
        writer.endArray()
        writer.endObject()
    }

    /// The place at which the route begins, as the query names it.
    var start: RoutePlace { query.from }

    /// The place that the route leads to, as the query names it.
    func destination(of route: IndoorRoute) -> RoutePlace? {
        query.to.indices.contains(route.destination) ? query.to[route.destination] : nil
    }

    /// Writes the figures of a route, without its line.
    func writeFigures(of route: IndoorRoute, to writer: inout JSONWriter) {
        writer.field("distanceMetres", route.distanceMetres, decimals: 2)
        writer.field("seconds", route.seconds, decimals: 1)
        writer.field("arriveAt", microseconds: route.arriveAt.microseconds)
        if origins.indices.contains(route.destination) {
            writer.field("destination", origins[route.destination])
        }
        writer.field("endRoom", route.endRoom?.text)
        if let end = route.shutEnd { write(end, to: &writer) }
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

    private func write(_ end: ShutEnd, to writer: inout JSONWriter) {
        writer.name("shutEnd")
        writer.beginObject()
        switch end.place {
        case .room(let id): writer.field("room", id.text)
        case .entry(let id): writer.field("directory", id.text)
        }
        switch end.cause {
        case .hours(let hours):
            writer.field("openingHours", hours)
            writer.field(
                "text", language.sentence(end, closedBy: hours, guide.names(in: language)))
        case .outage(let outage):
            writer.field("connection", outage.connection.text)
            writer.field("text", text(of: outage))
        }
        writer.endObject()
    }

    /// The sentence about an outage, as for a barrier on the way. Nil without the connection.
    private func text(of outage: WayOutage) -> String? {
        guard let record = guide.connection(outage.connection) else { return nil }
        let rule = Barrier.Rule.outage(
            since: outage.from, until: outage.until, reason: outage.reason)
        return guide.explanation(
            of: Barrier(
                connection: record.id, kind: record.kind, rules: [rule],
                rooms: record.stops.compactMap(\.room)),
            in: language, clock: clock)
    }

    // MARK: Reasons

    func writeReason(to writer: inout JSONWriter) {
        guard let reason else { return }
        writer.name("reason")
        writer.beginObject()
        if let obstacle = Obstacle(reason) {
            writer.field("code", obstacle.rawValue)
            writer.field("text", language.sentence(obstacle))
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
        let names = guide.names(in: language)
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
            guide.explanation(of: barrier, in: language, clock: clock))
        writer.name("rules")
        writer.beginArray()
        for rule in barrier.rules { rule.write(to: &writer) }
        writer.endArray()
        writer.endObject()
    }
}

extension ApproximateEnd {
    func write(_ name: String, to writer: inout JSONWriter) {
        writer.name(name)
        writer.beginObject()
        writer.field("missing", missing.rawValue)
        writer.field("room", room?.text)
        writer.field("building", building?.text)
        writer.field("straightMetres", straightMetres, decimals: 1)
        writer.endObject()
    }
}
