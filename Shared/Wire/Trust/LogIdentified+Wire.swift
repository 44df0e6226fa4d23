public import Events
public import JSON

extension LogIdentified: WireEvent {
    /// The key of the only record of this kind. Keys of tokens have 64 digits.
    public static let key = "log"

    public static var eventType: EventType { .logIdentified }
    public static var eventTopic: Topic { .tokens }

    public var recordKey: [UInt8] { Array(Self.key.utf8) }
    public var eventID: String { id }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { nil }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            id: try fields.required("id").text(maximumBytes: 64),
            at: try fields.required("at").time())
    }
}
