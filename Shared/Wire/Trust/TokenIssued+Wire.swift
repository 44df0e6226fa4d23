public import Events
public import JSON

extension TokenIssued: WireEvent {
    public static var eventType: EventType { .tokenIssued }
    public static var eventTopic: Topic { .tokens }

    /// The key is the hash alone: a token is looked up by its text, and may be of all sites.
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
        if !buildings.isEmpty { writer.identifiers("buildings", buildings) }
        writer.field("device", device)
        writer.field("note", note)
        writer.field("issuedAt", issuedAt)
        writer.field("expiresAt", expiresAt)
        writer.field("issuedBy", issuedBy)
        writer.field("signingKey", signingKey)
        if let quota {
            writer.name("quota")
            quota.write(to: &writer)
        }
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            hash: try fields.required("hash").text(maximumBytes: 128),
            id: try fields.required("id").eventID(), role: try fields.required("role").choice(),
            site: try fields.optional("site")?.identifier(.siteMalformed),
            buildings: try fields.identifiers("buildings"),
            device: try fields.optional("device")?.identifier(.deviceMalformed),
            note: try fields.optional("note")?.text() ?? "",
            issuedAt: try fields.required("issuedAt").time(),
            expiresAt: try fields.optional("expiresAt")?.time(),
            issuedBy: try fields.optional("issuedBy")?.text(maximumBytes: 128),
            signingKey: try fields.optional("signingKey")?.text(maximumBytes: 128),
            quota: try fields.optional("quota").map { value throws(WireFault) in
                try TokenQuota(value)
            })
    }
}

extension TokenQuota {
    /// Writes an object without empty members.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("recordsPerSecond", recordsPerSecond)
        writer.field("burst", burst)
        writer.field("bytesPerSecond", bytesPerSecond)
        writer.endObject()
    }

    /// The most that a quota may allow of anything in a second.
    private static let most = 1_000_000_000

    init(_ value: WireValue) throws(WireFault) {
        try self.init(reading: FieldReader(value).object)
    }

    /// Reads the form that `write` writes. Numbers are above 0 and at most a thousand million.
    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            recordsPerSecond: try fields.optional("recordsPerSecond")?
                .number(in: 0.001...Double(Self.most)),
            burst: try fields.optional("burst")?.integer(in: 1...Self.most),
            bytesPerSecond: try fields.optional("bytesPerSecond")?.integer(in: 1...Self.most))
    }
}
