import Events
import Geometry
import JSON
import Site
public import SiteMap

extension MapPart {
    /// The part as JSON. A list of coordinates is flat: x and y of the first point, then the
    /// differences to the point before.
    /// - Parameter language: the language of names.
    public func json(language: String? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writer.field("zoom", tile.zoom)
        writer.field("x", tile.x)
        writer.field("y", tile.y)
        writer.field("extent", tile.extent)
        writer.name("lines")
        writer.beginObject()
        for one in lines {
            writer.name(one.layer.rawValue)
            writer.beginArray()
            for line in one.lines { write(line, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
        writer.name("features")
        writer.beginArray()
        for feature in features { write(feature, language, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func write(
        _ feature: Feature, _ language: String?, to writer: inout JSONWriter
    ) {
        let known = feature.feature
        writer.beginObject()
        writer.field("layer", known.layer.rawValue)
        writer.field("id", known.id)
        // A layer without kinds has its own name as kind.
        if known.category != known.layer.rawValue { writer.field("kind", known.category) }
        let name = known.names.text(in: language) ?? known.name
        if name != known.id { writer.field("name", name) }
        if known.levels.count > 1 {
            writer.name("levels")
            writer.beginArray()
            for level in known.levels { writer.string(level) }
            writer.endArray()
        }
        if known.accessible != .unknown { writer.field("accessible", known.accessible.rawValue) }
        if known.isRestricted { writer.field("restricted", true) }
        if let label = feature.label {
            writer.name("label")
            write([label], to: &writer)
        }
        switch feature.shape {
        case .point(let point):
            writer.name("point")
            write([point], to: &writer)
        case .line(let line):
            writer.name("line")
            write(line, to: &writer)
        case .area(let rings):
            writer.name("rings")
            writer.beginArray()
            for ring in rings { write(ring, to: &writer) }
            writer.endArray()
        }
        writer.endObject()
    }

    private func write(_ line: [GridPoint], to writer: inout JSONWriter) {
        var (x, y) = (0, 0)
        writer.beginArray()
        for point in line {
            writer.integer(point.x - x)
            writer.integer(point.y - y)
            (x, y) = (point.x, point.y)
        }
        writer.endArray()
    }
}

extension MapOverview {
    /// The overview as JSON. Boxes are degrees: west, south, east, north (RFC 7946, section 5).
    /// - Parameter language: the language of each `name`.
    public func json(language: String? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("name", names.text(in: language) ?? name)
        writer.field("attribution", attribution)
        writer.name("floors")
        writer.beginArray()
        for floor in floors {
            writer.beginObject()
            writer.field("id", floor.id.text)
            writer.field("areas", floor.areas)
            writer.endObject()
        }
        writer.endArray()
        writer.name("buildings")
        writer.beginArray()
        for building in buildings { write(building, language, to: &writer) }
        writer.endArray()
        writer.name("outdoors")
        writer.beginObject()
        writer.field("features", featuresOutdoors)
        if let box, let heart {
            writer.name("box")
            write(box, to: &writer)
            writer.name("heart")
            write(heart, to: &writer)
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    /// A building without a name has its address.
    private func write(_ building: Building, _ language: String?, to writer: inout JSONWriter) {
        let record = building.record
        let name = record.names.text(in: language) ?? record.name
        writer.beginObject()
        writer.field("id", record.id.text)
        writer.field("name", name)
        writer.field("address", name.isEmpty ? record.address : nil)
        writer.field("timeZone", record.timeZone)
        if let box = building.box {
            writer.name("box")
            write(box, to: &writer)
        }
        writer.endObject()
    }

    private func write(_ box: GeographicBox, to writer: inout JSONWriter) {
        writer.beginArray()
        for degrees in [
            box.southWest.longitude, box.southWest.latitude, box.northEast.longitude,
            box.northEast.latitude,
        ] { writer.number(degrees, decimals: 6) }
        writer.endArray()
    }
}
