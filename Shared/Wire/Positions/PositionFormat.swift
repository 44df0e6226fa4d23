public import Events
internal import JSON

/// The format of a list of positions, chosen by the request's Accept. The default is NDJSON.
public enum PositionFormat: String, CaseIterable, Sendable {
    case ndjson = "application/x-ndjson"
    /// One array, for generated clients.
    case json = "application/json"
    case csv = "text/csv"
    case geojson = "application/geo+json"

    public var contentType: String { rawValue }

    /// Whether a list can be sent page by page, since nothing encloses it.
    public var isEndless: Bool { self == .ndjson || self == .csv }

    /// - Parameter isContinued: whether the client has the beginning of the list, such as the line
    ///   of headings.
    public func encode(_ positions: [PositionEstimated], isContinued: Bool = false) -> [UInt8] {
        switch self {
        case .ndjson: ListWriting.lines(positions.map(\.json))
        case .json: ListWriting.array(positions.map(\.json))
        case .csv: PositionTable.csv(positions, hasHeadings: !isContinued)
        case .geojson: Self.features(positions)
        }
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
