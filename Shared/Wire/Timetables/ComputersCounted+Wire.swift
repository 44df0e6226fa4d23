public import Events
public import JSON

extension ComputersCounted: WireEvent {
    public static var eventType: EventType { .computersCounted }
    public static var eventTopic: Topic { .availability }

    private static let computers = 0...1_000_000

    public var recordKey: [UInt8] { Self.recordKey(site, feed, room) }
    public var eventID: String { "\(feed)/\(room)/\(asOf.milliseconds)" }
    public var eventTime: Timestamp? { asOf }
    public var eventSite: SiteID? { site }

    /// The key of a room's counts in the log.
    public static func recordKey(_ site: SiteID, _ feed: FeedID, _ room: RoomID) -> [UInt8] {
        RecordKey.joined("\(site)/\(feed)", room.text)
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("feed", feed)
        writer.field("room", room)
        writer.field("available", available)
        writer.field("total", total)
        writer.field("asOf", asOf)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            feed: try fields.required("feed").identifier(),
            room: try fields.required("room").identifier(),
            available: try fields.optional("available")?.integer(in: Self.computers),
            total: try fields.optional("total")?.integer(in: Self.computers),
            asOf: try fields.required("asOf").time())
    }
}
