public import EventLog
public import Events
public import JSON

extension PositionerSelected: WireEvent {
    public static var eventType: EventType { .positionerSelected }
    public static var eventTopic: Topic { .radioMaps }

    static let keyEnd = "selected"

    public var recordKey: [UInt8] { RecordKey.joined(site.text, Self.keyEnd) }
    public var eventID: String { "\(site.text)/selected/\(revision)" }
    public var eventTime: Timestamp? { selectedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.field("site", site)
        writer.field("revision", revision)
        writer.field("served", selection.served)
        writer.array("beside", selection.beside)
        writer.field("selectedAt", selectedAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            revision: try fields.required("revision").integer(in: 1...Int.max),
            selection: try PositionerSelection(fields),
            selectedAt: try fields.required("selectedAt").time())
    }

    /// The record that removes the selection of a site.
    public static func tombstone(of site: SiteID) -> LogRecord {
        LogRecord(
            topic: eventTopic.name, key: RecordKey.joined(site.text, keyEnd), value: nil)
    }

    /// The site whose selection the record removes; nil for any other record.
    public static func removedSite(of record: StoredRecord) -> SiteID? {
        RecordKey.removedSite(of: record, on: eventTopic, keyEnd: keyEnd)
    }
}

extension PositionerSelection {
    /// The most bytes of a positioner's name; names of built-in ones list their parameters.
    static let longestName = 256

    /// Reads `{"served"?, "beside"?}`.
    init(_ fields: FieldReader) throws(WireFault) {
        self.init(
            served: try fields.optional("served")?.text(maximumBytes: Self.longestName),
            beside: try fields.elements("beside") { (value) throws(WireFault) in
                try value.text(maximumBytes: Self.longestName)
            })
    }
}
