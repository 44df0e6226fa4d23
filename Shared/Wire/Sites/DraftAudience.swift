import JSON

/// The audience of a publication: the body of `POST /v1/sites/{site}/publish`.
public enum DraftAudience: String, Sendable {
    case everyone, test

    /// Reads `{"audience": "test"}`; everyone for an empty body.
    public init(json body: [UInt8]) throws(WireFault) {
        guard !body.isEmpty else {
            self = .everyone
            return
        }
        let said = try withJSON(body) { (root) throws(WireFault) -> String? in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            try object.checkMembers(["audience"])
            guard let value = object["audience"], !value.isNull else { return nil }
            return value.string ?? ""
        }
        guard let audience = Self(rawValue: said ?? "everyone") else {
            throw WireFault(.fieldOutOfRange, path: "audience", "one of everyone, test")
        }
        self = audience
    }
}
