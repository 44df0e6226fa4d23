public import Events
public import JSON

extension ScanRecorded: WireEvent {
    public static var eventType: EventType { .scanRecorded }
    public static var eventTopic: Topic { .scans }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { id.description }
    public var eventTime: Timestamp? { correctedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.field("id", id)
        writer.field("scanner", scanner)
        writer.field("device", device)
        writer.field("site", site)
        writer.field("at", at)
        writer.field("sentAt", sentAt)
        writer.field("receivedAt", receivedAt)
        content.writeMembers(to: &writer)
    }

    public init(reading object: JSONObject) throws(WireFault) {
        try self.init(ScanReader(object))
    }

    init(_ reader: consuming ScanReader) throws(WireFault) {
        guard let id = reader.id else { throw Self.missing("id") }
        guard let site = reader.site else { throw Self.missing("site") }
        guard let device = reader.device else { throw Self.missing("device") }
        guard let scanner = reader.scanner else { throw Self.missing("scanner") }
        guard let at = reader.at else { throw Self.missing("at") }
        guard let receivedAt = reader.receivedAt else { throw Self.missing("receivedAt") }
        self.init(
            id: id, site: site, device: device, scanner: scanner, at: at, sentAt: reader.sentAt,
            receivedAt: receivedAt, content: reader.content)
    }

    private static func missing(_ name: String) -> WireFault {
        WireFault(.fieldMissing, path: name, "this field is needed")
    }
}

extension SurveyRecorded: WireEvent {
    public static var eventType: EventType { .surveyRecorded }
    public static var eventTopic: Topic { .surveyRecords }

    public var recordKey: [UInt8] { SurveyKey(scan.site, scan.id).bytes }
    public var eventID: String { scan.eventID }
    public var eventTime: Timestamp? { scan.eventTime }
    public var eventSite: SiteID? { scan.site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        scan.writeMembers(to: &writer)
        writer.field("place", place)
        writer.field("author", author)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let reader = try ScanReader(object)
        guard let place = reader.place else {
            throw WireFault(.placeMissing, path: "place", "a survey needs a place")
        }
        self.init(
            scan: try ScanRecorded(reader), place: place,
            author: try FieldReader(object).optional("author")?.text(maximumBytes: 128))
    }
}
