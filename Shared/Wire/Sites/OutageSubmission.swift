public import Events
internal import JSON

/// An outage that a person reports: the body of `POST /v1/outages`.
public struct OutageSubmission: Hashable, Sendable {
    /// Nil stands for the token's site.
    public var site: SiteID?
    /// Nil for a new outage. An id makes a retry harmless.
    public var id: EventID?
    public var connection: ConnectionID
    /// Nil for now.
    public var from: Timestamp?
    public var until: Timestamp?
    public var reason: String
    public var reportedBy: String

    private static let known: Set = [
        "site", "id", "connection", "from", "until", "reason", "reportedBy",
    ]
    /// Further members of answers, which may be sent back as they are.
    private static let answered: Set = ["reportedAt", "endedAt", "endedBy", "active"]

    /// Reads `{"site"?, "id"?, "connection", "from"?, "until"?, "reason", "reportedBy"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an outage is an object")
            }
            try object.checkMembers(Self.known, or: Self.answered)
            return try OutageSubmission(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        site = try fields.optional("site")?.identifier(.siteMalformed)
        id = try fields.optional("id")?.eventID()
        connection = try fields.required("connection").identifier()
        from = try fields.optional("from")?.time()
        until = try fields.optional("until")?.time()
        reason = try fields.required("reason").text()
        reportedBy = try fields.required("reportedBy").text()
    }
}
