import Directions
import Events
import Geometry
import JSON
import Site
public import Wayfinding

/// The answer to a traveller with augmented reality: the arrow, the progress and the rooms around.
/// Without a destination it has only the rooms.
public struct GuidanceDocument {
    private let routes: RouteDocument
    private let guidance: RouteGuidance
    private let isNew: Bool
    private let isRerouted: Bool
    private let hasDestination: Bool

    /// - Parameters:
    ///   - isNew: whether the caller does not have the route yet.
    ///   - hasDestination: whether the caller asked for a route.
    public init(
        routes: RouteDocument, guidance: RouteGuidance, isNew: Bool, isRerouted: Bool,
        hasDestination: Bool = true
    ) {
        self.hasDestination = hasDestination
        self.routes = routes
        self.guidance = guidance
        self.isNew = isNew
        self.isRerouted = isRerouted
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writer.field("rerouted", isRerouted)
        if let arrow = guidance.arrow { write(arrow, to: &writer) }
        if let progress = guidance.progress { write(progress, to: &writer) }
        writer.name("cards")
        writer.beginArray()
        for card in guidance.cards { write(card, to: &writer) }
        writer.endArray()
        if !hasDestination {
            routes.writeHead(to: &writer, isAnswer: false)
        } else if isNew || routes.reason != nil {
            routes.writeMembers(to: &writer)
        } else {
            routes.writeHead(to: &writer)
        }
        writer.endObject()
        return writer.finish()
    }

    private func write(_ arrow: GuidanceArrow, to writer: inout JSONWriter) {
        writer.name("arrow")
        writer.beginObject()
        writer.field("bearingDegrees", arrow.bearingDegrees, decimals: 1)
        writer.field("accuracyDegrees", arrow.accuracyDegrees, decimals: 1)
        writer.field("turnDegrees", arrow.turnDegrees, decimals: 1)
        writer.name("target")
        write(arrow.target, to: &writer)
        writer.endObject()
    }

    private func write(_ progress: RouteProgress, to writer: inout JSONWriter) {
        writer.name("progress")
        writer.beginObject()
        writer.field("leg", progress.leg)
        writer.field("isOff", progress.isOff)
        writer.field("metresOff", progress.metresOff, decimals: 2)
        writer.field("metresAlong", progress.metresAlong, decimals: 2)
        writer.field("metresLeft", progress.metresLeft, decimals: 2)
        writer.field("secondsLeft", progress.secondsLeft, decimals: 1)
        writer.field("metresToNextTurn", progress.metresToNextTurn, decimals: 2)
        if let next = nextInstruction(progress) { writer.field("next", next) }
        writer.name("nearest")
        write(progress.nearest, to: &writer)
        writer.endObject()
    }

    /// The instruction for the next turn: the first of the next leg, or the very last.
    private func nextInstruction(_ progress: RouteProgress) -> String? {
        guard let route = routes.routes.first else { return nil }
        let guide = routes.guide
        let manoeuvres = guide.manoeuvres(
            of: route, to: routes.destination(of: route), isByTouch: routes.isByTouch)
        let next = manoeuvres.first { $0.leg > progress.leg } ?? manoeuvres.last
        return next.map { guide.sentence(for: $0, in: routes.language) }
    }

    private func write(_ point: Point, to writer: inout JSONWriter) {
        let place = routes.index.frame.geographic(point)
        writer.beginObject()
        writer.field("x", point.x, decimals: 3)
        writer.field("y", point.y, decimals: 3)
        writer.field("latitude", place.latitude, decimals: 8)
        writer.field("longitude", place.longitude, decimals: 8)
        writer.endObject()
    }

    private func write(_ card: RoomCard, to writer: inout JSONWriter) {
        let language = routes.language
        let names = routes.guide.names(in: language)
        let room = routes.index.room(card.room)
        writer.beginObject()
        writer.field("room", card.room.text)
        let name = names.named(card.room) ?? language.title(names.kind(card.room))
        writer.field("name", name)
        writer.field("kind", room?.kind)
        writer.field("floor", room?.floor.text)
        writer.field("distanceMetres", card.distanceMetres, decimals: 2)
        writer.field("bearingDegrees", card.bearingDegrees, decimals: 1)
        writer.field("x", card.middle.x, decimals: 3)
        writer.field("y", card.middle.y, decimals: 3)
        writer.field("latitude", card.geographic.latitude, decimals: 8)
        writer.field("longitude", card.geographic.longitude, decimals: 8)
        let path = "/v1/sites/\(routes.site)/rooms/\(card.room)"
        writer.name("links")
        writer.beginObject()
        writer.field("timetable", "\(path)/timetable")
        writer.field("computers", "\(path)/availability")
        writer.endObject()
        writer.endObject()
    }
}
