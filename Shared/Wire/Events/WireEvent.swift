public import EventLog
public import Events
public import JSON

/// An event with its form in the log: a key, headers (`EventEnvelope`) and a JSON value.
///
/// Within a version only optional fields are added; readers ignore unknown names.
public protocol WireEvent: Sendable {
    static var eventType: EventType { get }
    /// The topic that the event is appended to by default.
    static var eventTopic: Topic { get }

    var recordKey: [UInt8] { get }
    /// The CloudEvents `id`; the same event always has the same id.
    var eventID: String { get }
    /// The CloudEvents `time`; nil for an event that is only derived from others.
    var eventTime: Timestamp? { get }
    var eventSite: SiteID? { get }

    /// Appends the value as one JSON object.
    func write(to writer: inout JSONWriter)
    /// Reads the value. Throws a fault that names the field.
    init(reading object: JSONObject) throws(WireFault)
}

extension WireEvent {
    /// The value as JSON.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        write(to: &writer)
        return writer.finish()
    }

    /// The record that carries this event.
    ///
    /// - Parameters:
    ///   - topic: the topic, when it is not the event's own.
    ///   - source: the process that appends the event, such as `/scan-ingest`.
    ///   - traceparent: the trace context of the request that led to the event.
    ///   - sender: the id of the token that sent it.
    public func record(
        topic: String? = nil, source: String, traceparent: String? = nil, sender: String? = nil
    ) -> LogRecord {
        let envelope = EventEnvelope(
            id: eventID, source: source, type: Self.eventType, time: eventTime, site: eventSite,
            traceparent: traceparent, sender: sender)
        return LogRecord(
            topic: topic ?? Self.eventTopic.name, key: recordKey, value: json,
            headers: envelope.headers)
    }

    /// Reads the event of a record.
    ///
    /// - Throws: `value-missing` for a tombstone, `type-unexpected` for an event of another type,
    ///   the faults of `EventEnvelope`, and any fault of the value.
    public init(record: StoredRecord) throws(WireFault) {
        guard let value = record.value else {
            throw WireFault(.valueMissing, "the record has no value")
        }
        // Two headers are compared as bytes, which is enough for nearly all records. The others are
        // read in full.
        if record.headers["ce_type"] != Self.eventType.name
            || record.headers["ce_specversion"] != "1.0"
        {
            let envelope = try EventEnvelope(headers: record.headers)
            throw WireFault(
                .typeUnexpected, path: "ce_type",
                "\(envelope.type.name) in place of \(Self.eventType.name)")
        }
        try self.init(json: value)
    }

    /// Reads the event from a record's value.
    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an event is an object")
            }
            return try Self(reading: object)
        }
    }
}

/// Parses with this thread's parser, and turns faults of the document into wire faults.
func withJSON<Outcome>(
    _ bytes: [UInt8], _ body: (JSONValue) throws(WireFault) -> Outcome
) throws(WireFault) -> Outcome {
    try bytes.withUnsafeBufferPointer { (buffer) throws(WireFault) in
        try withJSON(UnsafeRawBufferPointer(buffer), body)
    }
}

func withJSON<Outcome>(
    _ bytes: UnsafeRawBufferPointer, _ body: (JSONValue) throws(WireFault) -> Outcome
) throws(WireFault) -> Outcome {
    try JSONParser.withShared { (parser) throws(WireFault) in
        try parser.parse(bytes, fault: { WireFault($0) }, body)
    }
}
