public import Geometry
import JSON

/// Turns the short forms that editors may send into the form of documents.
///
/// `latitude` and `longitude` may stand for `x` and `y` anywhere, and a corner may be `{"latitude",
/// "longitude"}` instead of `[x, y]`. A ring may be `{"circle": {"x", "y", "radiusMetres"}}`, which
/// becomes 32 corners with the circle's area. It may also be `{"square": {"x", "y", "sideMetres",
/// "turnedDegrees"}}`, turned clockwise from the site's axes. `SiteOutput` is the way back.
public struct SiteInput {
    private let frame: LocalFrame

    public init(frame: LocalFrame) { self.frame = frame }

    /// The body in the form of documents, with the id of the path. The body need not repeat that
    /// id.
    public func normalised(
        _ body: [UInt8], as id: String, under member: StaticString
    ) throws(WireFault) -> [UInt8] {
        try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            // The added id has quotation marks, a colon and a comma.
            let more = member.utf8CodeUnitCount + id.utf8.count + 6
            var writer = JSONWriter(capacity: body.count + more)
            writer.beginObject()
            writer.name(member)
            writer.string(id)
            try writeMembers(of: object, except: member, to: &writer)
            writer.endObject()
            if let said = object[member], !said.isNull,
                said.string?.lowercased() != id.lowercased()
            {
                throw WireFault(.fieldOutOfRange, path: "\(member)", "the path has the id \(id)")
            }
            return writer.finish()
        }
    }

    private func write(
        _ value: JSONValue, _ place: SiteFormPlace, to writer: inout JSONWriter
    ) throws(WireFault) {
        if let object = value.object {
            if place == .ring, let polygon = try shape(object) {
                writer.beginArray()
                for corner in polygon.corners { write(corner, to: &writer) }
                writer.endArray()
                return
            }
            if place == .corner, let point = try point(object) { return write(point, to: &writer) }
            writer.beginObject()
            try writeMembers(of: object, to: &writer)
            writer.endObject()
        } else if let array = value.array {
            writer.beginArray()
            for element in array { try write(element, place.inner, to: &writer) }
            writer.endArray()
        } else {
            writer.value(value)
        }
    }

    private func writeMembers(
        of object: JSONObject, except left: StaticString? = nil, to writer: inout JSONWriter
    ) throws(WireFault) {
        let point = try point(object)
        for field in object {
            if let left, field.name == left { continue }
            if point != nil, field.name == "latitude" || field.name == "longitude" { continue }
            let name = field.name.string
            writer.name(name)
            do throws(WireFault) {
                try write(field.value, SiteFormPlace(under: name), to: &writer)
            } catch { throw error.inside(name) }
        }
        if let point {
            writer.field("x", point.x)
            writer.field("y", point.y)
        }
    }

    private func write(_ corner: Point, to writer: inout JSONWriter) {
        writer.beginArray()
        writer.number(corner.x)
        writer.number(corner.y)
        writer.endArray()
    }

    /// The point that an object gives in degrees; nil where it has no degrees.
    private func point(_ object: JSONObject) throws(WireFault) -> Point? {
        let fields = FieldReader(object)
        guard let latitude = fields.optional("latitude"),
            let longitude = fields.optional("longitude")
        else { return nil }
        guard fields.optional("x") == nil, fields.optional("y") == nil else {
            throw WireFault(
                .fieldOutOfRange, path: "x", "either x and y or latitude and longitude, not both")
        }
        let point = frame.point(
            GeographicPoint(
                latitude: try latitude.latitude(), longitude: try longitude.longitude()))
        return Point(x: Self.micrometres(point.x), y: Self.micrometres(point.y))
    }

    /// The length rounded to micrometres. A point that a client read in degrees and sends back then
    /// equals the stored one, despite rounding errors.
    private static func micrometres(_ metres: Double) -> Double { (metres * 1e6).rounded() / 1e6 }

    /// The outline of a circle or a square; nil for an object of another form.
    private func shape(_ object: JSONObject) throws(WireFault) -> Polygon? {
        let fields = FieldReader(object)
        if let circle = fields.optional("circle") {
            let circle = try FieldReader(circle)
            return Polygon.circle(
                centre: try centre(circle),
                radiusMetres: try circle.required("radiusMetres").number(in: 0.01...10_000))
        }
        if let square = fields.optional("square") {
            let square = try FieldReader(square)
            return Polygon.square(
                centre: try centre(square),
                sideMetres: try square.required("sideMetres").number(in: 0.01...10_000),
                turnedDegrees: try square.optional("turnedDegrees")?.number(in: -360...360) ?? 0)
        }
        return nil
    }

    private func centre(_ fields: FieldReader) throws(WireFault) -> Point {
        if let point = try point(fields.object) { return point }
        return Point(
            x: try fields.required("x").coordinate(), y: try fields.required("y").coordinate())
    }
}
