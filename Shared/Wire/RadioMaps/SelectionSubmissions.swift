public import Events
import JSON

/// The body of `PUT /v1/sites/{site}/positioner`: `{"served"?, "beside"?}`.
public struct SelectionSubmission: Hashable, Sendable {
    private static let known: Set = ["served", "beside"]
    /// Further members of answers, which may be sent back as they are. An answer has `served`;
    /// without it these would select the default, which nobody asked for.
    private static let answered: Set = ["site", "default", "allowed", "history"]

    public let selection: PositionerSelection

    public init(json body: [UInt8]) throws(WireFault) {
        selection = try fields(
            of: body, "a selection", Self.known, answered: Self.answered
        ) { (fields) throws(WireFault) in
            try PositionerSelection(fields)
        }
    }
}

/// The body of `POST /v1/sites/{site}/positioner/promote`: `{"positioner"}`.
public struct PromotionSubmission: Hashable, Sendable {
    public let positioner: String

    public init(json body: [UInt8]) throws(WireFault) {
        positioner = try fields(
            of: body, "a promotion", ["positioner"]
        ) { (fields) throws(WireFault) in
            try fields.required("positioner").text(
                maximumBytes: PositionerSelection.longestName)
        }
    }
}

/// The body of `POST /v1/sites/{site}/positioner/back`: `{"revision"?}`.
public struct ReturnSubmission: Hashable, Sendable {
    /// The selection to go back to; nil for the one before the present one.
    public let revision: Int?

    public init(json body: [UInt8]) throws(WireFault) {
        revision = try fields(of: body, "a return", ["revision"]) { (fields) throws(WireFault) in
            try fields.optional("revision")?.integer(in: 1...Int.max)
        }
    }
}

/// Reads the members of a body that is an object, and refuses other members than the known ones.
/// A body with `served` may have the answered ones, too.
private func fields<Value>(
    of body: [UInt8], _ name: String, _ known: Set<String>, answered: Set<String> = [],
    _ read: (FieldReader) throws(WireFault) -> Value
) throws(WireFault) -> Value {
    try withJSON(body) { (root) throws(WireFault) in
        guard let object = root.object else {
            throw WireFault(.notAnObject, "\(name) is an object")
        }
        let fields = FieldReader(object)
        try object.checkMembers(known, or: fields.optional("served") == nil ? [] : answered)
        return try read(fields)
    }
}
