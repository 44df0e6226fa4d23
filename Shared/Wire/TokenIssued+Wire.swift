public import Events
public import JSON

extension TokenIssued: WireEvent {
    public static var eventType: EventType { .tokenIssued }
    public static var eventTopic: Topic { .tokens }

    /// The hash alone: a token is looked up by what its bearer shows, and may be of every site.
    public var recordKey: [UInt8] { Array(hash.utf8) }
    public var eventID: String { id.description }
    public var eventTime: Timestamp? { issuedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("hash", hash)
        writer.field("id", id)
        writer.field("role", role.rawValue)
        writer.field("site", site)
        writer.field("device", device)
        writer.field("note", note)
        writer.field("issuedAt", issuedAt)
        writer.field("expiresAt", expiresAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            hash: try fields.required("hash").text(maximumBytes: 128),
            id: try fields.required("id").eventID(), role: try fields.required("role").choice(),
            site: try fields.optional("site")?.identifier(.siteMalformed),
            device: try fields.optional("device")?.identifier(.deviceMalformed),
            note: try fields.optional("note")?.text() ?? "",
            issuedAt: try fields.required("issuedAt").time(),
            expiresAt: try fields.optional("expiresAt")?.time())
    }
}
