import Events
import Geometry
import JSON
import Site
public import SiteMap

extension SiteMap {
    /// The map as GeoJSON (RFC 7946): a feature for each record, in WGS84 degrees to a millimetre.
    /// - Parameter language: the language of `name`; `names` has all languages.
    public func geoJSON(language: String? = nil) -> [UInt8] {
        var writer = JSONWriter(capacity: 4_096 + features.count * 512)
        writer.beginObject()
        writer.field("type", "FeatureCollection")
        writer.field("name", names.text(in: language) ?? name)
        if let attribution { writer.field("attribution", attribution) }
        if let floor {
            writer.field("floor", floor.id.text)
            writer.field("level", floor.level)
            writer.field("ordinal", floor.ordinal)
        }
        writer.name("features")
        writer.beginArray()
        for feature in features { write(feature, language, to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func write(
        _ feature: MapFeature, _ language: String?, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.field("type", "Feature")
        // The kind stands before the id, because ids are unique within one kind only.
        writer.field("id", "\(feature.layer.rawValue)/\(feature.id)")
        writer.name("geometry")
        write(feature.shape, to: &writer)
        writer.name("properties")
        writer.beginObject()
        writer.field("layer", feature.layer.rawValue)
        writer.field("id", feature.id)
        writer.field("kind", feature.category)
        writer.field("name", feature.names.text(in: language) ?? feature.name)
        if !feature.names.isEmpty {
            writer.name("names")
            writer.beginObject()
            for (tag, name) in feature.names.byLanguage.sorted(by: { $0.key < $1.key }) {
                writer.name(tag)
                writer.string(name)
            }
            writer.endObject()
        }
        write("floors", feature.floors.map(\.text), to: &writer)
        if feature.levels.count > 1 { write("levels", feature.levels, to: &writer) }
        writer.field("accessible", feature.accessible.rawValue)
        if feature.isRestricted { writer.field("restricted", true) }
        if let isAutomatic = feature.isAutomatic { writer.field("automatic", isAutomatic) }
        if feature.isOneWay { writer.field("oneWay", true) }
        if let rises = feature.rises { writer.field("rises", rises) }
        writer.field("widthMetres", feature.widthMetres)
        writer.field("openingHours", feature.openingHours)
        if let point = feature.labelPoint {
            writer.name("label")
            write(point, to: &writer)
        }
        writer.endObject()
        writer.endObject()
    }

    private func write(_ name: StaticString, _ texts: [String], to writer: inout JSONWriter) {
        writer.name(name)
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
    }

    private func write(_ shape: MapFeature.Shape, to writer: inout JSONWriter) {
        writer.beginObject()
        switch shape {
        case .point(let point):
            writer.field("type", "Point")
            writer.name("coordinates")
            write(point, to: &writer)
        case .line(let points):
            writer.field("type", "LineString")
            writer.name("coordinates")
            writer.beginArray()
            for point in points { write(point, to: &writer) }
            writer.endArray()
        case .area(let area):
            writer.field("type", "Polygon")
            writer.name("coordinates")
            writer.beginArray()
            for (number, ring) in area.rings.enumerated() {
                // The outline runs anticlockwise and holes clockwise; the first corner is repeated
                // at the end.
                let isForwards = (ring.signedArea > 0) == (number == 0)
                let corners = isForwards ? ring.corners : ring.corners.reversed()
                writer.beginArray()
                for corner in corners + corners.prefix(1) { write(corner, to: &writer) }
                writer.endArray()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Longitude comes first; nine decimals of a degree are a tenth of a millimetre.
    private func write(_ point: Point, to writer: inout JSONWriter) {
        let place = frame.geographic(point)
        writer.beginArray()
        writer.number(place.longitude, decimals: 9)
        writer.number(place.latitude, decimals: 9)
        writer.endArray()
    }
}
