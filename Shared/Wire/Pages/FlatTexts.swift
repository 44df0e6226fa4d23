import JSON

/// A language's file of the visitor's app: an object of texts by their keys.
public struct FlatTexts: Hashable, Sendable {
    public let byKey: [String: String]

    /// - Throws: a fault for JSON of another shape.
    public init(json: [UInt8]) throws(WireFault) {
        byKey = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object of texts is expected")
            }
            var texts: [String: String] = [:]
            for member in object {
                texts[member.name.string] = try WireValue(member.value).text()
            }
            return texts
        }
    }
}
