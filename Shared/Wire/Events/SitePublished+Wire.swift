public import Events
public import JSON
public import Site

extension SitePublished: WireEvent {
    public static var eventType: EventType { .sitePublished }
    public static var eventTopic: Topic { .site }

    public var recordKey: [UInt8] { RecordKey.bytes(site) }
    public var eventID: String { "\(site.text)/\(version)" }
    public var eventTime: Timestamp? { publishedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        write(to: &writer) { document.write(to: &$0) }
    }

    /// The event's JSON around its document's, which is not written again.
    public func json(around document: [UInt8]) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer) { $0.raw(json: document) }
        return writer.finish()
    }

    private func write(to writer: inout JSONWriter, _ writeDocument: (inout JSONWriter) -> Void) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("version", version)
        writer.field("publishedAt", publishedAt)
        writer.name("document")
        writeDocument(&writer)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            version: try fields.required("version").integer(in: 1...Int.max),
            publishedAt: try fields.required("publishedAt").time(),
            document: try fields.required("document", siteDocument))
    }
}

private func siteDocument(_ value: WireValue) throws(WireFault) -> SiteDocument {
    try SiteDocument(reading: try FieldReader(value).object)
}
