public import Events
public import JSON

extension TapRecorded: WireEvent {
    public static var eventType: EventType { .tapRecorded }
    public static var eventTopic: Topic { .taps }

    public var recordKey: [UInt8] { scan.recordKey }
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
            throw WireFault(.placeMissing, path: "place", "a tap needs a place")
        }
        self.init(
            scan: try ScanRecorded(reader), place: place,
            author: try FieldReader(object).required("author").text(maximumBytes: 128))
    }
}
