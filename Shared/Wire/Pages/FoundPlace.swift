import JSON

/// A result of a search, as the visitor's page reads it.
public struct FoundPlace: Hashable, Sendable {
    public var kind: String
    public var id: String
    public var name: String
    /// The ids of its floors.
    public var floors: [String]
    /// Whether the name is just what was searched for.
    public var isExact: Bool
    /// Whether each word that was searched for is one of the thing's, or the beginning of one.
    public var isLike: Bool

    /// The results of `GET /v1/sites/{site}/search`.
    ///
    /// - Throws: a fault for JSON of another shape.
    public static func list(json: [UInt8]) throws(WireFault) -> [FoundPlace] {
        try withJSON(json) { (root) throws(WireFault) in
            try FieldReader(WireValue(root)).elements("results") { (value) throws(WireFault) in
                let fields = try FieldReader(value)
                let match = try fields.optional("match")?.text()
                return FoundPlace(
                    kind: try fields.required("kind").text(),
                    id: try fields.required("id").text(),
                    name: try fields.required("name").text(),
                    floors: try fields.elements("floors") { (floor) throws(WireFault) in
                        try floor.text()
                    },
                    isExact: match == "exact", isLike: match == "exact" || match == "prefix")
            }
        }
    }
}
