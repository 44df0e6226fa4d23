public import Events
public import Geometry
import JSON

/// The question to the router for one way: the body of `POST /v1/routes`.
public struct RouteQuestionBody: Hashable, Sendable {
    /// A place of a site by its kind: `room`, `location`, `directory`, `building`, `zone`, `floor`.
    public struct Place: Hashable, Sendable {
        var kind: String
        var id: String

        public init(kind: String, id: String) {
            self.kind = kind
            self.id = id
        }
    }

    var site: String
    var from: Place
    var to: Place
    var profile: String
    var language: String

    public init(site: String, from: Place, to: Place, profile: String, language: String) {
        self.site = site
        self.from = from
        self.to = to
        self.profile = profile
        self.language = language
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
        writer.endObject()
        return writer.finish()
    }

    private func write(_ place: Place, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name(place.kind)
        writer.string(place.id)
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
    /// The sentences, with their distances.
    public var steps: [String]
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
        steps = try fields.elements("instructions") { (value) throws(WireFault) in
            try FieldReader(value).required("text").text()
        }
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
