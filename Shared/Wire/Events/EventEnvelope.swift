public import EventLog
public import Events
internal import JSON

/// The attributes of an event in a record's headers: CloudEvents 1.0 in the binary mode of its
/// Kafka protocol binding, and the W3C trace context.
public struct EventEnvelope: Hashable, Sendable {
    /// Unique for the source: a UUID, or a text with the record's id and version.
    public var id: String
    /// The process that appended the event, such as `/scan-ingest`.
    public var source: String
    public var type: EventType
    /// The time of the event; nil for an event that is only derived from others.
    public var time: Timestamp?
    public var site: SiteID?
    /// The trace context of the request that led to the event. A value that is not of W3C's form is
    /// dropped.
    public var traceparent: String?
    /// The id of the token that sent the event.
    public var sender: String?

    /// Reads a record's headers, and ignores unknown ones.
    ///
    /// - Throws: `headers-missing`, `header-malformed`, `type-unknown` or `version-too-new`.
    public init(headers: LogHeaders) throws(WireFault) {
        guard !headers.isEmpty else {
            throw WireFault(.headersMissing, "the record has no headers")
        }
        guard let specification = headers["ce_specversion"], let type = headers["ce_type"] else {
            throw WireFault(.headersMissing, "ce_specversion and ce_type are needed")
        }
        guard specification == "1.0" else {
            throw WireFault(
                .versionTooNew, path: "ce_specversion", "only CloudEvents 1.0 is read")
        }
        self.type = try EventType(name: type)
        guard let id = headers["ce_id"], let source = headers["ce_source"] else {
            throw WireFault(.headersMissing, "ce_id and ce_source are needed")
        }
        self.id = id
        self.source = source
        if let text = headers["ce_time"] {
            guard let microseconds = RFC3339.microseconds(text) else {
                throw WireFault(.headerMalformed, path: "ce_time", "this is not an RFC 3339 time")
            }
            time = Timestamp(microseconds: microseconds)
        }
        if let text = headers["ce_site"] {
            guard let site = SiteID(validating: text) else {
                throw WireFault(.headerMalformed, path: "ce_site", "this is not a site's id")
            }
            self.site = site
        }
        traceparent = TraceParent.valid(headers["traceparent"])
        sender = headers["ce_sender"]
    }

    public init(
        id: String, source: String, type: EventType, time: Timestamp?, site: SiteID?,
        traceparent: String? = nil, sender: String? = nil
    ) {
        self.id = id
        self.source = source
        self.type = type
        self.time = time
        self.site = site
        self.traceparent = traceparent
        self.sender = sender
    }

    /// The headers with these attributes and `content-type`.
    public var headers: LogHeaders {
        var headers = LogHeaders()
        headers.reserveCapacity(384)
        headers.append("ce_specversion", "1.0")
        headers.append("ce_id", id)
        headers.append("ce_source", source)
        headers.append("ce_type", type.name)
        if let time {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: RFC3339.byteCount) { buffer in
                RFC3339.write(time.microseconds, to: buffer)
                headers.append("ce_time", UnsafeRawBufferPointer(buffer))
            }
        }
        if let site { headers.append("ce_site", site.text) }
        headers.append("content-type", "application/json")
        if let sender { headers.append("ce_sender", sender) }
        if let traceparent = TraceParent.valid(traceparent) {
            headers.append("traceparent", traceparent)
        }
        return headers
    }
}
