public import Geometry
import JSON

/// Turns a site's metres into WGS84 degrees, in the form that `SiteInput` reads.
///
/// `latitude` and `longitude` replace `x` and `y`, and a corner is `{"latitude", "longitude"}`
/// instead of `[x, y]`. Degrees have all digits of a double; the last one is less than 10
/// nanometres.
public struct SiteOutput {
    private let frame: LocalFrame

    public init(frame: LocalFrame) { self.frame = frame }

    /// A record, or an object that holds records, in degrees.
    public func geographic(_ json: [UInt8]) throws(WireFault) -> [UInt8] {
        try withJSON(json) { (root) throws(WireFault) in
            var writer = JSONWriter(capacity: json.count * 2)
            write(root, .plain, to: &writer)
            return writer.finish()
        }
    }

    private func write(_ value: JSONValue, _ place: SiteFormPlace, to writer: inout JSONWriter) {
        if let object = value.object {
            let point = Self.point(object["x"], object["y"])
            writer.beginObject()
            for field in object {
                if let point, field.name == "x" || field.name == "y" {
                    if field.name == "x" { writeMembers(point, to: &writer) }
                    continue
                }
                let name = field.name.string
                writer.name(name)
                write(field.value, SiteFormPlace(under: name), to: &writer)
            }
            writer.endObject()
        } else if let array = value.array {
            if place == .corner, let corner = Self.corner(array) {
                writer.beginObject()
                writeMembers(corner, to: &writer)
                writer.endObject()
                return
            }
            writer.beginArray()
            for element in array { write(element, place.inner, to: &writer) }
            writer.endArray()
        } else {
            writer.value(value)
        }
    }

    private func writeMembers(_ point: Point, to writer: inout JSONWriter) {
        let place = frame.geographic(point)
        writer.field("latitude", place.latitude)
        writer.field("longitude", place.longitude)
    }

    private static func corner(_ array: JSONArray) -> Point? {
        var numbers: [Double] = []
        for element in array {
            guard let number = element.double else { return nil }
            numbers.append(number)
        }
        return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
    }

    private static func point(_ x: JSONValue?, _ y: JSONValue?) -> Point? {
        guard let x = x?.double, let y = y?.double else { return nil }
        return Point(x: x, y: y)
    }
}
