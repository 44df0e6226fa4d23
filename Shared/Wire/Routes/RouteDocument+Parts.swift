import Directions
import Events
import Geometry
import JSON
import Site
import Wayfinding

/// Decimals of metres in lines, and of degrees; both give a centimetre or better.
private let (metreDecimals, degreeDecimals) = (3, 8)

extension RouteDocument {
    func write(_ leg: RouteLeg, to writer: inout JSONWriter) {
        writer.beginObject()
        writeFigures(of: leg, to: &writer)
        writer.name("unknownFacts")
        write(leg.unknownFacts, to: &writer)
        writer.name("paths")
        writer.beginArray()
        for path in leg.paths {
            writer.beginObject()
            writer.field("floor", path.floor?.text)
            writer.field("level", level(path.floor))
            writer.name("metres")
            writer.beginArray()
            for point in path.points { writer.pair(point.x, point.y, metreDecimals) }
            writer.endArray()
            writer.name("wgs84")
            writeDegrees(path.points, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    /// Writes the figures of a leg, without its line.
    func writeFigures(of leg: RouteLeg, to writer: inout JSONWriter) {
        switch leg.passage {
        case .room(let id):
            writer.field("kind", "room")
            writer.field("room", id.text)
        case .connection(let id, let kind):
            writer.field("kind", kind.rawValue)
            writer.field("connection", id.text)
        case .approach: writer.field("kind", "approach")
        }
        writer.field("startFloor", leg.startFloor?.text)
        writer.field("startLevel", level(leg.startFloor))
        writer.field("endFloor", leg.endFloor?.text)
        writer.field("endLevel", level(leg.endFloor))
        writer.field("distanceMetres", leg.distanceMetres, decimals: 2)
        writer.field("seconds", leg.seconds, decimals: 1)
        writer.field("riseMetres", leg.riseMetres, decimals: 2)
        writer.field("narrowestMetres", leg.narrowestMetres, decimals: 3)
        writer.field("steepestSlope", leg.steepestSlope, decimals: 4)
        if let isAutomatic = leg.isAutomatic { writer.field("automatic", isAutomatic) }
    }

    /// Writes points as [longitude, latitude], the order of GeoJSON.
    func writeDegrees(_ points: [Point], to writer: inout JSONWriter) {
        writer.beginArray()
        for point in points {
            let place = index.frame.geographic(point)
            writer.pair(place.longitude, place.latitude, degreeDecimals)
        }
        writer.endArray()
    }

    func write(_ facts: [UnknownFact], to writer: inout JSONWriter) {
        writer.beginArray()
        for fact in facts {
            writer.beginObject()
            writer.field("connection", fact.connection.text)
            writer.field("fact", fact.fact.rawValue)
            writer.endObject()
        }
        writer.endArray()
    }

    func write(_ instruction: Instruction, to writer: inout JSONWriter) {
        let manoeuvre = instruction.manoeuvre
        writer.beginObject()
        writer.field("text", instruction.text)
        writer.field("action", manoeuvre.action.code)
        writer.field("turn", manoeuvre.action.turn?.rawValue)
        writer.field("leg", manoeuvre.leg)
        writer.field("distanceMetres", manoeuvre.metres, decimals: 2)
        writer.field("bearingDegrees", manoeuvre.bearingDegrees, decimals: 1)
        writer.field("floor", manoeuvre.floor?.text)
        writer.field("level", level(manoeuvre.floor))
        writePoint(manoeuvre.point, to: &writer)
        if !manoeuvre.landmarks.isEmpty {
            writer.name("landmarks")
            writer.beginArray()
            for landmark in manoeuvre.landmarks {
                writer.beginObject()
                writer.field("room", landmark.room.text)
                writer.field("side", landmark.isOnLeft ? "left" : "right")
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Writes the steps for those who can't see.
    func writeSpoken(_ route: IndoorRoute, to writer: inout JSONWriter) {
        writer.name("spoken")
        writer.beginArray()
        let steps = guide.spokenInstructions(
            for: route, from: start, to: destination(of: route), in: language)
        for spoken in steps { write(spoken, to: &writer) }
        writer.endArray()
    }

    private func write(_ spoken: SpokenInstruction, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("text", spoken.text)
        writer.field("announcedText", spoken.announcedText)
        writer.field("leg", spoken.step.leg)
        writer.field("distanceMetres", spoken.step.metres, decimals: 2)
        writer.field("headingDegrees", spoken.step.headingDegrees, decimals: 1)
        writer.field("floor", spoken.step.floor?.text)
        writer.field("level", level(spoken.step.floor))
        writePoint(spoken.step.point, to: &writer)
        writer.name("announcements")
        writer.beginArray()
        for announcement in spoken.announcements {
            writer.beginObject()
            writer.field("metresBefore", announcement.metresBefore)
            writer.field("text", announcement.text)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    /// Writes a point in metres and degrees.
    func writePoint(_ point: Point, to writer: inout JSONWriter) {
        let place = index.frame.geographic(point)
        writer.field("x", point.x, decimals: metreDecimals)
        writer.field("y", point.y, decimals: metreDecimals)
        writer.field("latitude", place.latitude, decimals: degreeDecimals)
        writer.field("longitude", place.longitude, decimals: degreeDecimals)
    }

    /// The level of a floor, as its sign reads; nil outdoors.
    func level(_ floor: FloorID?) -> String? { floor.flatMap(index.floor)?.level }
}

extension JSONWriter {
    mutating func pair(_ first: Double, _ second: Double, _ decimals: Int) {
        beginArray()
        number(first, decimals: decimals)
        number(second, decimals: decimals)
        endArray()
    }
}

extension Manoeuvre.Action {
    fileprivate var code: String {
        switch self {
        case .head: "head"
        case .turn: "turn"
        case .door: "door"
        case .cross(.enter): "enter"
        case .cross(.leave): "leave"
        case .climb(let climb): climb.kind.rawValue
        case .arrive: "arrive"
        }
    }

    fileprivate var turn: Turn? {
        switch self {
        case .turn(let turn): turn
        case .door(let door): door.turn
        case .head, .cross, .climb, .arrive: nil
        }
    }
}

extension Barrier.Rule {
    /// Writes the rule that stops a traveller, its figures, and the change that would allow the
    /// way.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .steps: writer.rule("steps", openedBy: "profile")
        case .escalator: writer.rule("escalator", openedBy: "profile")
        case .avoided(let way):
            writer.rule("avoided", openedBy: "avoid")
            writer.field("avoid", way.rawValue)
        case .inaccessible: writer.rule("inaccessible", openedBy: "profile")
        case .tooNarrow(let metres, let needed):
            writer.rule("too-narrow", openedBy: "profile")
            writer.field("value", metres, decimals: 3)
            writer.field("limit", needed, decimals: 3)
        case .tooSteep(let slope, let limit):
            writer.rule("too-steep", openedBy: "profile")
            writer.field("value", slope, decimals: 4)
            writer.field("limit", limit, decimals: 4)
        case .kerb(let metres, let limit):
            writer.rule("kerb", openedBy: "profile")
            writer.field("value", metres, decimals: 3)
            writer.field("limit", limit, decimals: 3)
        case .surface(let surface):
            writer.rule("surface", openedBy: "profile")
            writer.field("surface", surface)
        case .unknown(let facts):
            writer.rule("unknown", openedBy: "survey")
            writer.name("facts")
            writer.beginArray()
            for fact in facts { writer.string(fact.rawValue) }
            writer.endArray()
        case .outage(let since, let until, let reason):
            writer.rule("outage", openedBy: "end-of-outage")
            writer.field("since", microseconds: since.microseconds)
            writer.field("until", microseconds: until?.microseconds)
            writer.field("reason", reason)
        case .restricted(let room):
            writer.rule("restricted", openedBy: "permission")
            writer.field("room", room.text)
        case .shut(let hours, let room):
            writer.rule("shut", openedBy: "opening-hours")
            writer.field("openingHours", hours)
            writer.field("room", room?.text)
        }
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func rule(_ name: String, openedBy: String) {
        field("rule", name)
        field("openedBy", openedBy)
    }
}
