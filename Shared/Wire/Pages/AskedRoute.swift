public import Events
public import Geometry
import JSON

/// The question to the router for one way: the body of `POST /v1/routes`.
public struct RouteQuestionBody: Hashable, Sendable {
    /// A place of a site, or outdoors.
    public enum Place: Hashable, Sendable {
        /// A record by its kind: `room`, `location`, `directory`, `building`, `zone` or `floor`.
        /// With `kind`, the nearest place of that kind, also a stop of a lift or the like.
        case record(kind: String, id: String)
        /// A point, and the level on its floor's sign; nil outdoors.
        case point(GeographicPoint, level: String?)
    }

    var site: String
    var from: Place
    var to: Place
    var profile: String
    var language: String
    var isSpoken: Bool

    /// - Parameter isSpoken: whether the steps for those who can't see are wanted.
    public init(
        site: String, from: Place, to: Place, profile: String, language: String,
        isSpoken: Bool = false
    ) {
        self.site = site
        self.from = from
        self.to = to
        self.profile = profile
        self.language = language
        self.isSpoken = isSpoken
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        writer.field("site", site)
        writer.name("from")
        write(from, to: &writer)
        writer.name("to")
        writer.beginArray()
        write(to, to: &writer)
        writer.endArray()
        writer.field("profile", profile)
        writer.field("language", language)
        if isSpoken { writer.field("wording", "spoken") }
        writer.endObject()
        return writer.finish()
    }

    private func write(_ place: Place, to writer: inout JSONWriter) {
        writer.beginObject()
        switch place {
        case .record(let kind, let id):
            writer.name(kind)
            writer.string(id)
        case .point(let point, let level):
            writer.field("latitude", point.latitude)
            writer.field("longitude", point.longitude)
            writer.field("level", level)
        }
        writer.endObject()
    }
}

/// The router's answer to `POST /v1/routes`, as a page shows it.
public struct ShownRoute: Hashable, Sendable {
    /// The line on one floor.
    public struct Line: Hashable, Sendable {
        /// Nil outdoors.
        public var floor: String?
        public var points: [Point]
    }

    public var metres: Double
    public var seconds: Double
    public var arriveAt: Timestamp
    /// Whether the reader is there already.
    public var isThere: Bool
    /// The width of the narrowest place; nil where no width is known.
    public var narrowestMetres: Double?
    /// Whether the profile needs facts of the way that nobody has stated.
    public var hasUnknownFacts: Bool
    /// Says that the end is closed on arrival; nil if it is open.
    public var shutEnd: String?
    /// The sentences, with their distances; those for who can't see, if they were asked for.
    public var steps: [String]
    /// The rooms in which the way begins and ends; nil outdoors, and where it only leads near one.
    public var startRoom: String?
    public var endRoom: String?
    /// The lines in the order of the way; a floor that the way comes back to is there again.
    public var lines: [Line]

    /// The best route, or the reasons why there is none.
    public enum Answer: Hashable, Sendable {
        case route(ShownRoute)
        case noRoute(reasons: [String])
    }

    /// - Throws: a fault for JSON of another shape.
    public static func answer(json: [UInt8]) throws(WireFault) -> Answer {
        try withJSON(json) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            let routes = try fields.elements("routes") { (value) throws(WireFault) in
                try ShownRoute(FieldReader(value))
            }
            if let best = routes.first { return .route(best) }
            return .noRoute(reasons: try reasons(fields))
        }
    }

    private static func reasons(_ answer: FieldReader) throws(WireFault) -> [String] {
        guard let value = answer.optional("reason") else { return [] }
        let fields = try FieldReader(value)
        let barriers = try fields.elements("barriers") { (value) throws(WireFault) in
            try FieldReader(value).optional("text")?.text()
        }
        return [try fields.optional("text")?.text()].compactMap(\.self)
            + barriers.compactMap(\.self)
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        metres = try fields.required("distanceMetres").number()
        seconds = try fields.required("seconds").number()
        arriveAt = try fields.required("arriveAt").time()
        narrowestMetres = try fields.optional("narrowestMetres")?.number()
        hasUnknownFacts = try !fields.elements("unknownFacts", Self.presence).isEmpty
        shutEnd = try fields.optional("shutEnd").map { (value) throws(WireFault) in
            try FieldReader(value).required("text").text()
        }
        isThere = try fields.elements("legs", Self.presence).isEmpty
        let written = try fields.elements("instructions", Self.sentence)
        let spoken = try fields.elements("spoken", Self.sentence)
        steps = spoken.isEmpty ? written : spoken
        // Along walls a way is longer than its line on the map, and the steps say so.
        let told = try SpokenLengths(fields)
        if told.metres > 0 {
            metres = told.metres
            let late = (told.seconds - seconds) * 1_000
            arriveAt = Timestamp(milliseconds: arriveAt.milliseconds + Int64(late.rounded()))
            seconds = told.seconds
        }
        endRoom = try fields.optional("endRoom")?.text()
        startRoom =
            try fields.elements("legs") { (value) throws(WireFault) in
                try FieldReader(value).optional("room")?.text()
            }.first ?? nil
        let legs = try fields.elements("legs") { (value) throws(WireFault) in
            try FieldReader(value).elements("paths", Self.line)
        }
        lines = []
        for line in legs.joined() {
            if let last = lines.last, last.floor == line.floor {
                lines[lines.count - 1].points += line.points
            } else {
                lines.append(line)
            }
        }
    }

    private static func presence(_ value: WireValue) throws(WireFault) {}

    private static func sentence(_ value: WireValue) throws(WireFault) -> String {
        try FieldReader(value).required("text").text()
    }

    private static func line(_ value: WireValue) throws(WireFault) -> Line {
        let fields = try FieldReader(value)
        return Line(
            floor: try fields.optional("floor")?.text(),
            points: try fields.elements("metres") { (value) throws(WireFault) in
                let pair = try value.elements { (number) throws(WireFault) in
                    try number.coordinate()
                }
                guard pair.count == 2 else {
                    throw value.fault(.fieldWrongType, "two numbers are expected")
                }
                return Point(x: pair[0], y: pair[1])
            })
    }
}
