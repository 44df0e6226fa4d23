import Events
import Geometry
import JSON
import Site
import Wayfinding

extension RouteDocument {
    /// GeoJSON with a feature for each line of each leg (RFC 7946). Without a route the reason is a
    /// foreign member.
    public var geojson: [UInt8] {
        var writer = JSONWriter(capacity: 16_384)
        writer.beginObject()
        writer.field("type", "FeatureCollection")
        writeHead(to: &writer)
        writeReason(to: &writer)
        writer.name("features")
        writer.beginArray()
        for (number, route) in routes.enumerated() {
            for (index, leg) in route.legs.enumerated() {
                for path in leg.paths {
                    writeFeature(path, of: leg, index, route: number, to: &writer)
                }
            }
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func writeFeature(
        _ path: FloorPath, of leg: RouteLeg, _ index: Int, route: Int,
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.field("type", "Feature")
        writer.name("geometry")
        writer.beginObject()
        // A line has at least two positions; a door is a point.
        if path.points.count > 1 {
            writer.field("type", "LineString")
            writer.name("coordinates")
            writeDegrees(path.points, to: &writer)
        } else if let point = path.points.first {
            let place = self.index.frame.geographic(point)
            writer.field("type", "Point")
            writer.name("coordinates")
            writer.pair(place.longitude, place.latitude, 8)
        }
        writer.endObject()
        writer.name("properties")
        writer.beginObject()
        writer.field("route", route)
        writer.field("leg", index)
        writer.field("floor", path.floor?.text)
        writer.field("level", level(path.floor))
        writeFigures(of: leg, to: &writer)
        writer.endObject()
        writer.endObject()
    }
}
