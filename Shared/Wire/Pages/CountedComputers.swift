import JSON

/// The answer about a room's free computers, as the visitor's page reads it.
public enum CountedComputers {
    /// The sentence for people; nil where nobody counts the room's computers.
    ///
    /// - Throws: a fault for JSON of another shape.
    public static func sentence(json: [UInt8]) throws(WireFault) -> String? {
        try withJSON(json) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            guard try fields.required("state").text() != "not-counted" else { return nil }
            return try fields.required("text").text()
        }
    }
}
