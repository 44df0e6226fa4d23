public import Events
internal import JSON

/// Rooms of a position as a column of the database.
extension [PositionEstimated.RoomProbability] {
    public var storedJSON: String {
        var writer = JSONWriter(capacity: 64 + count * 48)
        writer.beginArray()
        for room in self {
            writer.beginObject()
            writer.field("id", room.id.text)
            writer.field("probability", room.probability, decimals: 4)
            writer.endObject()
        }
        writer.endArray()
        return writer.finishText()
    }

    public init(storedJSON json: String) throws {
        self = try JSONParser.read([UInt8](json.utf8)) { root in
            (root.array.map { [JSONValue]($0) } ?? []).compactMap { entry in
                guard let object = entry.object, let id = object["id"]?.string,
                    let probability = object["probability"]?.double
                else { return nil }
                return .init(id: RoomID(id), probability: probability)
            }
        }
    }
}
