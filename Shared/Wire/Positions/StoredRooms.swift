public import Events
internal import JSON

/// Rooms of a position, in its event and as a column of the database. Both have probabilities to
/// four decimals, since narrow rows have them so: else an event and its row would differ.
extension [PositionEstimated.RoomProbability] {
    private static var decimals: Int { 4 }

    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for room in self {
            writer.beginObject()
            writer.field("id", room.id)
            writer.field("probability", room.probability, decimals: Self.decimals)
            writer.endObject()
        }
        writer.endArray()
    }

    public var storedJSON: String {
        var writer = JSONWriter(capacity: 64 + count * 48)
        write(to: &writer)
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
