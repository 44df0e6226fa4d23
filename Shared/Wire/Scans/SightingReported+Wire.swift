public import Events
public import JSON

extension SightingReported: WireEvent {
    public static var eventType: EventType { .sightingReported }
    public static var eventTopic: Topic { .sightings }

    public var recordKey: [UInt8] { RecordKey.bytes(site, device) }
    public var eventID: String { id.description }
    public var eventTime: Timestamp? { at }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("id", id)
        writer.field("site", site)
        writer.field("device", device)
        writer.field("scanner", scanner)
        writer.field("at", at)
        writer.field("receivedAt", receivedAt)
        writer.field("rssi", rssi)
        writer.field("distance", distance?.metres)
        writer.field("distanceDeviation", distance?.deviation)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            id: try fields.required("id").eventID(),
            site: try fields.required("site").identifier(.siteMalformed),
            device: try fields.required("device").identifier(.deviceMalformed),
            scanner: try fields.required("scanner").identifier(.scannerMalformed),
            at: try fields.required("at").time(),
            receivedAt: try fields.required("receivedAt").time(),
            rssi: try fields.required("rssi").signal(), distance: try fields.distance())
    }
}

extension FieldReader {
    /// The members `distance` and `distanceDeviation`, in metres; nil where both are absent.
    func distance() throws(WireFault) -> MeasuredDistance? {
        guard optional("distance") != nil || optional("distanceDeviation") != nil else {
            return nil
        }
        return MeasuredDistance(
            metres: try required("distance").number(in: ScanLimits.distanceMetres),
            deviation: try required("distanceDeviation").number(in: ScanLimits.distanceDeviation))
    }
}
