public import EventLog
public import Events
public import JSON

extension NodesCalibrated: WireEvent {
    public static var eventType: EventType { .nodesCalibrated }
    public static var eventTopic: Topic { .radioMaps }

    private static let keyEnd = "nodes"

    public var recordKey: [UInt8] { RecordKey.joined(site.text, Self.keyEnd) }
    public var eventID: String { "\(site.text)/nodes/\(calibratedAt.microseconds)" }
    public var eventTime: Timestamp? { calibratedAt }
    public var eventSite: SiteID? { site }

    /// Writes dB with two decimals, exponents with three.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.field("site", site)
        writer.field("siteVersion", siteVersion)
        writer.field("calibratedAt", calibratedAt)
        writer.field("level", level, decimals: 2)
        writer.field("wallLoss", wallLoss, decimals: 2)
        writer.field("floorLoss", floorLoss, decimals: 2)
        writer.field("deviation", deviation, decimals: 2)
        writer.array("nodes", nodes) { node, writer in
            writer.beginObject()
            writer.field("scanner", node.scanner)
            writer.field("offset", node.offset, decimals: 2)
            writer.field("offsetError", node.offsetError, decimals: 2)
            writer.field("exponent", node.exponent, decimals: 3)
            writer.field("exponentError", node.exponentError, decimals: 3)
            writer.field("links", node.links)
            writer.field("readings", node.readings)
            writer.field("state", node.state.rawValue)
            writer.field("deafSince", node.deafSince)
            writer.endObject()
        }
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            siteVersion: try fields.required("siteVersion").integer(in: 0...Int.max),
            calibratedAt: try fields.required("calibratedAt").time(),
            level: try fields.required("level").number(),
            wallLoss: try fields.required("wallLoss").number(),
            floorLoss: try fields.required("floorLoss").number(),
            deviation: try fields.required("deviation").number(in: 0.01...1_000),
            nodes: try fields.required("nodes").elements(node))
    }
}

extension NodesCalibrated {
    /// The record that removes the calibrations of a site.
    public static func tombstone(of site: SiteID) -> LogRecord {
        LogRecord(
            topic: eventTopic.name, key: RecordKey.joined(site.text, keyEnd), value: nil)
    }

    /// The site whose calibrations the record removes; nil for any other record.
    static func removedSite(of record: StoredRecord) -> SiteID? {
        RecordKey.removedSite(of: record, on: eventTopic, keyEnd: keyEnd)
    }
}

private func node(_ value: WireValue) throws(WireFault) -> NodesCalibrated.Node {
    let fields = try FieldReader(value)
    return NodesCalibrated.Node(
        scanner: try fields.required("scanner").identifier(.scannerMalformed),
        offset: try fields.required("offset").number(),
        offsetError: try fields.required("offsetError").number(),
        exponent: try fields.required("exponent").number(),
        exponentError: try fields.required("exponentError").number(),
        links: try fields.required("links").integer(in: 0...Int.max),
        readings: try fields.required("readings").integer(in: 0...Int.max),
        state: try fields.required("state").choice(),
        deafSince: try fields.optional("deafSince")?.time())
}
