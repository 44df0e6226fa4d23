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

    /// Whether a list can be sent page by page.
    public var isEndless: Bool { self != .json }

    /// The format of a file by its name, as in `?format=csv`.
    public init?(file: String) {
        guard let format = Self.allCases.first(where: { $0.file == file }) else { return nil }
        self = format
    }

    /// The end of a file's name.
    public var file: String {
        switch self {
        case .ndjson: "ndjson"
        case .json: "json"
        case .csv: "csv"
        case .geojson: "geojson"
        }
    }

    /// Positions as a part of a list that is sent page by page.
    ///
    /// - Parameter isContinued: whether positions came before.
    public func part(_ positions: [PositionEstimated], isContinued: Bool) -> [UInt8] {
        guard self == .geojson else { return encode(positions, isContinued: isContinued) }
        var bytes = isContinued ? [] : Array(#"{"type":"FeatureCollection","features":["#.utf8)
        for (number, position) in positions.enumerated() {
            if number > 0 || isContinued { bytes.append(UInt8(ascii: ",")) }
            var writer = JSONWriter(capacity: 800)
            Self.write(position, to: &writer)
            bytes += writer.finish()
        }
        return bytes
    }

    /// The end of such a list.
    ///
    /// - Parameters:
    ///   - count: the number of positions.
    ///   - isFile: whether the last line says that the file is complete. GeoJSON always does, in
    ///     members that its reader ignores.
    public func end(_ count: Int, isFile: Bool) -> [UInt8] {
        switch self {
        case .geojson: Array(#"],"complete":true,"rows":\#(count)}"#.utf8)
        case .ndjson: isFile ? ListWriting.lastLine(count) : []
        case .csv: isFile ? ListWriting.lastRow(count) : []
        case .json: []
        }
    }

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
            write(position, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private static func write(_ position: PositionEstimated, to writer: inout JSONWriter) {
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
}
