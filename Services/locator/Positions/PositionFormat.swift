import Events
import HTTP
import JSON
import Wire

/// How a list of positions is written, chosen by the request's Accept: NDJSON where the client takes anything.
enum PositionFormat: String, CaseIterable {
    case ndjson = "application/x-ndjson"
    /// One array, for clients that were generated.
    case json = "application/json"
    case csv = "text/csv"
    case geojson = "application/geo+json"

    var contentType: String { rawValue }

    func encode(_ positions: [PositionEstimated]) -> [UInt8] {
        switch self {
        case .ndjson: ListWriting.lines(positions.map(\.json))
        case .json: ListWriting.array(positions.map(\.json))
        case .csv: Self.table(positions)
        case .geojson: Self.features(positions)
        }
    }

    /// RFC 4180. Ids hold no commas or quotes, and so no field needs quoting; nor does a spreadsheet take
    /// one for more than a sum: of what begins a formula an id may begin with a hyphen alone, and it holds
    /// neither brackets nor bars (`DelimitedTable`). Programs read these, and so ids stay as they are.
    private static func table(_ positions: [PositionEstimated]) -> [UInt8] {
        var text =
            "id,scanId,at,locatedAt,device,site,building,floor,room,x,y,latitude,longitude,"
            + "radius68,radius95,state,late,positioner,radioMapVersion,motion\r\n"
        func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
        for position in positions {
            let fields = [
                position.id.description, position.scan.description,
                RFC3339.text(microseconds: position.at.microseconds),
                RFC3339.text(microseconds: position.locatedAt.microseconds),
                position.device.text, position.site.text, position.building?.text ?? "",
                position.floor?.text ?? "", position.room?.text ?? "", number(position.x),
                number(position.y), number(position.latitude), number(position.longitude),
                number(position.radius68), number(position.radius95), position.state.rawValue,
                position.late ? "true" : "false", position.positioner,
                position.radioMapVersion.map(String.init) ?? "", position.motion?.rawValue ?? "",
            ]
            text += fields.joined(separator: ",") + "\r\n"
        }
        return Array(text.utf8)
    }

    /// RFC 7946; a position that was lost has no geometry.
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
