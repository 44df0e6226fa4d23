public import Events
internal import JSON

/// The format of a list of positions, chosen by the request's Accept. The default is NDJSON.
public enum PositionFormat: String, CaseIterable {
    case ndjson = "application/x-ndjson"
    /// One array, for generated clients.
    case json = "application/json"
    case csv = "text/csv"
    case geojson = "application/geo+json"

    public var contentType: String { rawValue }

    public func encode(_ positions: [PositionEstimated]) -> [UInt8] {
        switch self {
        case .ndjson: ListWriting.lines(positions.map(\.json))
        case .json: ListWriting.array(positions.map(\.json))
        case .csv: Self.table(positions)
        case .geojson: Self.features(positions)
        }
    }

    /// The columns of the table. New ones are added at the end, since programs may count them. The
    /// lists `rooms` and `covariance` have no column.
    private static let columns: [(name: String, value: @Sendable (PositionEstimated) -> String)] = [
        ("id", { $0.id.description }), ("scanId", { $0.scan.description }), ("at", { $0.at.text }),
        ("locatedAt", { $0.locatedAt.text }), ("device", { $0.device.text }),
        ("site", { $0.site.text }), ("building", { $0.building?.text ?? "" }),
        ("floor", { $0.floor?.text ?? "" }), ("room", { $0.room?.text ?? "" }),
        ("x", { text($0.x) }), ("y", { text($0.y) }), ("latitude", { text($0.latitude) }),
        ("longitude", { text($0.longitude) }), ("radius68", { text($0.radius68) }),
        ("radius95", { text($0.radius95) }), ("state", { $0.state.rawValue }),
        ("late", { text($0.late) }), ("positioner", { $0.positioner }),
        ("radioMapVersion", { text($0.radioMapVersion) }),
        ("motion", { $0.motion?.rawValue ?? "" }), ("siteVersion", { text($0.siteVersion) }),
        ("choiceVersion", { text($0.choiceVersion) }),
        ("lostBecause", { $0.lostBecause?.rawValue ?? "" }),
    ]

    private static func text<Value: LosslessStringConvertible>(_ value: Value?) -> String {
        value.map(\.description) ?? ""
    }

    /// Writes CSV (RFC 4180). No field needs quotes, because ids hold neither commas nor quotes.
    ///
    /// A spreadsheet does not run an id as a formula either. An id may begin with a hyphen, but it
    /// holds neither brackets nor bars (`DelimitedTable`).
    private static func table(_ positions: [PositionEstimated]) -> [UInt8] {
        var table = columns.map(\.name).joined(separator: ",") + "\r\n"
        for position in positions {
            table += columns.map { $0.value(position) }.joined(separator: ",") + "\r\n"
        }
        return Array(table.utf8)
    }

    /// Writes GeoJSON (RFC 7946); a lost position has no geometry.
    private static func features(_ positions: [PositionEstimated]) -> [UInt8] {
        var writer = JSONWriter(capacity: 256 + positions.count * 800)
        writer.beginObject()
        writer.field("type", "FeatureCollection")
        writer.name("features")
        writer.beginArray()
        for position in positions {
            writer.beginObject()
            writer.field("type", "Feature")
            writer.field("id", position.id.description)
            writer.name("geometry")
            if let longitude = position.longitude, let latitude = position.latitude {
                writer.beginObject()
                writer.field("type", "Point")
                writer.name("coordinates")
                writer.beginArray()
                writer.number(longitude, decimals: 8)
                writer.number(latitude, decimals: 8)
                writer.endArray()
                writer.endObject()
            } else {
                writer.null()
            }
            writer.name("properties")
            position.write(to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
