public import Events
public import JSON

extension VisitStarted: WireEvent {
    public static var eventType: EventType { .visitStarted }
    public static var eventTopic: Topic { .visits }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { "\(visit)/started" }
    public var eventTime: Timestamp? { entered }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(visit, site, device, zone, entered: entered)
        writer.field("confidence", confidence, decimals: 6)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            visit: try fields.required("visit").eventID(),
            site: try fields.required("site").identifier(.siteMalformed),
            device: try fields.required("device").identifier(.deviceMalformed),
            zone: try zoneField(fields), entered: try fields.required("entered").time(),
            confidence: try fields.required("confidence").number(in: 0...1))
    }
}

extension VisitEnded: WireEvent {
    public static var eventType: EventType { .visitEnded }
    public static var eventTopic: Topic { .visits }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { "\(visit)/ended" }
    public var eventTime: Timestamp? { left }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.members(visit, site, device, zone, entered: entered)
        writer.field("left", left)
        writer.field("confidence", confidence, decimals: 6)
        writer.field("reason", reason.rawValue)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            visit: try fields.required("visit").eventID(),
            site: try fields.required("site").identifier(.siteMalformed),
            device: try fields.required("device").identifier(.deviceMalformed),
            zone: try zoneField(fields), entered: try fields.required("entered").time(),
            left: try fields.required("left").time(),
            confidence: try fields.required("confidence").number(in: 0...1),
            reason: try fields.required("reason").choice())
    }
}

extension JSONWriter {
    /// Writes the first members of both events of a visit.
    fileprivate mutating func members(
        _ visit: EventID, _ site: SiteID, _ device: DeviceID, _ zone: Zone, entered: Timestamp
    ) {
        field("visit", visit)
        field("site", site)
        field("device", device)
        field("kind", zone.kind.rawValue)
        field("zone", zone.id)
        field("entered", entered)
    }
}

private func zoneField(_ fields: FieldReader) throws(WireFault) -> Zone {
    Zone(try fields.required("kind").choice(), try fields.required("zone").identifier())
}

extension TimePassed: WireEvent {
    public static var eventType: EventType { .timePassed }
    public static var eventTopic: Topic { .scans }

    /// No site's key begins with `~`, so this can't be one.
    public var recordKey: [UInt8] { Array("~time/\(partition)".utf8) }
    public var eventID: String { "\(partition)/\(at.microseconds)" }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { nil }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("partition", partition)
        writer.field("at", at)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            partition: try fields.required("partition").integer(in: 0...Int.max),
            at: try fields.required("at").time())
    }
}
