public import Events
public import JSON

extension GroupEntered: WireEvent {
    public static var eventType: EventType { .groupEntered }
    public static var eventTopic: Topic { .visits }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { "\(visit)/entered" }
    public var eventTime: Timestamp? { entered }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(visit, site, device, group, floor, entered: entered)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            visit: try fields.required("visit").eventID(),
            site: try fields.required("site").identifier(.siteMalformed),
            device: try fields.required("device").identifier(.deviceMalformed),
            group: try fields.required("group").identifier(),
            floor: try fields.required("floor").identifier(),
            entered: try fields.required("entered").time())
    }
}

extension GroupLeft: WireEvent {
    public static var eventType: EventType { .groupLeft }
    public static var eventTopic: Topic { .visits }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { "\(visit)/left" }
    public var eventTime: Timestamp? { left }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(visit, site, device, group, floor, entered: entered)
        writer.field("left", left)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            visit: try fields.required("visit").eventID(),
            site: try fields.required("site").identifier(.siteMalformed),
            device: try fields.required("device").identifier(.deviceMalformed),
            group: try fields.required("group").identifier(),
            floor: try fields.required("floor").identifier(),
            entered: try fields.required("entered").time(),
            left: try fields.required("left").time())
    }
}

extension JSONWriter {
    /// Writes the first members of both events.
    fileprivate mutating func members(
        _ visit: EventID, _ site: SiteID, _ device: DeviceID, _ group: BeaconGroupID,
        _ floor: FloorID, entered: Timestamp
    ) {
        field("visit", visit)
        field("site", site)
        field("device", device)
        field("group", group)
        field("floor", floor)
        field("entered", entered)
    }
}
