public import Events
public import JSON

extension OutageReported: WireEvent {
    public static var eventType: EventType { .outageReported }
    public static var eventTopic: Topic { .outages }

    public var recordKey: [UInt8] {
        RecordKey.joined("\(site.text)/\(connection.text)", id.description)
    }
    public var eventID: String { id.description }
    public var eventTime: Timestamp? { reportedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.field("reporter", reporter)
        writer.endObject()
    }

    /// Writes the report; both events and an answer share these members. The answer names no
    /// account.
    func writeMembers(to writer: inout JSONWriter) {
        writer.field("site", site)
        writer.field("id", id)
        writer.field("connection", connection)
        writer.field("from", from)
        writer.field("until", until)
        writer.field("reason", reason)
        writer.field("reportedBy", reportedBy)
        writer.field("reportedAt", reportedAt)
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            id: try fields.required("id").eventID(),
            connection: try fields.required("connection").identifier(),
            from: try fields.required("from").time(), until: try fields.optional("until")?.time(),
            reason: try fields.required("reason").text(),
            reportedBy: try fields.required("reportedBy").text(),
            reportedAt: try fields.required("reportedAt").time(),
            reporter: try fields.optional("reporter")?.text())
    }
}

extension OutageEnded: WireEvent {
    public static var eventType: EventType { .outageEnded }
    public static var eventTopic: Topic { .outages }

    public var recordKey: [UInt8] { outage.recordKey }
    public var eventID: String { "\(outage.id)/ended" }
    public var eventTime: Timestamp? { endedAt }
    public var eventSite: SiteID? { outage.site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        outage.writeMembers(to: &writer)
        writer.field("reporter", outage.reporter)
        writer.field("endedAt", endedAt)
        writer.field("endedBy", endedBy)
        writer.field("ender", ender)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            outage: try OutageReported(reading: object),
            endedAt: try fields.required("endedAt").time(),
            endedBy: try fields.required("endedBy").text(),
            ender: try fields.optional("ender")?.text())
    }
}
