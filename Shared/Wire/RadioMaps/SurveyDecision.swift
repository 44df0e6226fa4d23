public import Events
import JSON

/// A decision on surveys that were kept aside: the body of `POST /v1/sites/{site}/survey-reviews`.
public struct SurveyDecision {
    public let isAccepted: Bool
    public let surveys: [EventID]

    /// Reads `{"decision": "accept" | "reject", "surveys": [id, ...]}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in try Self(root.object) }
    }

    private init(_ object: JSONObject?) throws(WireFault) {
        switch object?["decision"]?.string {
        case "accept": isAccepted = true
        case "reject": isAccepted = false
        default: throw WireFault(.decisionMalformed, "decision is accept or reject.")
        }
        try object?.checkMembers(["decision", "surveys"])
        var surveys: [EventID] = []
        if let elements = object?["surveys"]?.array {
            for element in elements {
                guard let id = element.string.flatMap({ EventID($0) }) else {
                    throw WireFault(.idMalformed, "A survey's id is a UUID.")
                }
                surveys.append(id)
            }
        }
        self.surveys = surveys
    }
}
