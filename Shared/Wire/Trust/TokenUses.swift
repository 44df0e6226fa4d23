public import Events
import JSON

/// The tokens that a service has seen and when: the body of `POST /v1/token-uses`.
public enum TokenUses {
    /// `{"uses": [{"token", "at"}]}`.
    public static func json(_ uses: [(token: String, at: Timestamp)]) -> [UInt8] {
        var writer = JSONWriter(capacity: uses.count * 96)
        writer.beginObject()
        writer.array("uses", uses) { use, writer in
            writer.beginObject()
            writer.field("token", use.token)
            writer.field("at", microseconds: use.at.microseconds)
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }

    /// Reads the uses. Unreadable uses and those beyond `most` are skipped.
    public static func read(
        _ body: [UInt8], most: Int
    ) throws(WireFault) -> [(token: EventID, at: Timestamp)] {
        try withJSON(body) { (root) throws(WireFault) in
            guard let array = root.object?["uses"]?.array else { return [] }
            var uses: [(token: EventID, at: Timestamp)] = []
            for use in array where uses.count < most {
                guard let object = use.object,
                    let id = object["token"]?.string.flatMap({ EventID($0) }),
                    let at = object["at"]?.string.flatMap(Timestamp.init(text:))
                else { continue }
                uses.append((id, at))
            }
            return uses
        }
    }
}
