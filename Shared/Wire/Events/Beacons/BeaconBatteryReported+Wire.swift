public import EventLog
public import Events
public import JSON

extension BeaconBatteryReported: WireEvent {
    public static var eventType: EventType { .beaconBatteryReported }
    public static var eventTopic: Topic { .beaconBatteries }

    public var recordKey: [UInt8] { RecordKey.bytes(site, beacon) }
    public var eventID: String { "\(site)/\(beacon)/\(at.microseconds)" }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("beacon", beacon)
        writer.field("percent", percent)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            beacon: try fields.required("beacon").identifier(),
            percent: try fields.required("percent").integer(in: 0...100),
            at: try fields.required("at").time())
    }

    /// The site and the beacon of a record's key; nil for any other key.
    public static func beacon(of record: StoredRecord) -> (site: SiteID, beacon: BeaconID)? {
        let parts = record.key?.split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let parts, parts.count == 2,
            let site = SiteID(validating: String(decoding: parts[0], as: UTF8.self)),
            let beacon = BeaconID(validating: String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return (site, beacon)
    }

    /// The tombstone of a beacon that its site does not have any more.
    public var tombstone: LogRecord {
        LogRecord(topic: Self.eventTopic.name, key: recordKey, value: nil)
    }
}
