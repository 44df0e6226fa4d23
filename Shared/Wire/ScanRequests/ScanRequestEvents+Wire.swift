public import Events
public import JSON

extension ScanRequested: WireEvent {
    public static var eventType: EventType { .scanRequested }
    public static var eventTopic: Topic { .scanRequests }

    public var recordKey: [UInt8] { RecordKey.bytes(site, scanner) }
    public var eventID: String { "\(id)/\(scanner)" }
    public var eventTime: Timestamp? { askedAt }
    public var eventSite: SiteID? { site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        key.writeMembers(to: &writer)
        writer.field("asker", asker)
        if let place { writer.field("place", place) }
        writer.field("room", room)
        writer.field("store", store)
        writer.field("askedAt", askedAt)
        writer.field("until", until)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        let key = try ScanRequestKey(fields)
        var place: SurveyPlace?
        if fields.optional("place") != nil { place = try fields.required("place", surveyPlace) }
        self.init(
            site: key.site, id: key.id, scanner: key.scanner,
            asker: try fields.required("asker").text(), place: place,
            room: try fields.optional("room")?.identifier(),
            store: try fields.required("store").bool(),
            askedAt: try fields.required("askedAt").time(),
            until: try fields.required("until").time())
    }
}

extension ScanRequestKey {
    init(_ fields: FieldReader) throws(WireFault) {
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            id: try fields.required("id").eventID(),
            scanner: try fields.required("scanner").identifier(.scannerMalformed))
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.field("site", site)
        writer.field("id", id)
        writer.field("scanner", scanner)
    }
}

/// An event about a request for a scan, with its key and one time.
private protocol ScanRequestEvent: WireEvent {
    var request: ScanRequestKey { get }
}

extension ScanRequestEvent {
    public static var eventTopic: Topic { .scanRequests }
    public var recordKey: [UInt8] { RecordKey.bytes(request.site, request.scanner) }
    public var eventSite: SiteID? { request.site }
}

extension ScanRequestCancelled: WireEvent, ScanRequestEvent {
    public static var eventType: EventType { .scanRequestCancelled }
    public var eventID: String { "\(request.id)/\(request.scanner)/cancelled" }
    public var eventTime: Timestamp? { cancelledAt }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        request.writeMembers(to: &writer)
        writer.field("cancelledAt", cancelledAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            request: try ScanRequestKey(fields),
            cancelledAt: try fields.required("cancelledAt").time())
    }
}

extension ScanRequestTaken: WireEvent, ScanRequestEvent {
    public static var eventType: EventType { .scanRequestTaken }
    public var eventID: String { "\(request.id)/\(request.scanner)/taken" }
    public var eventTime: Timestamp? { takenAt }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        request.writeMembers(to: &writer)
        writer.field("takenAt", takenAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            request: try ScanRequestKey(fields), takenAt: try fields.required("takenAt").time())
    }
}

extension ResultAwaited: WireEvent, ScanRequestEvent {
    public static var eventType: EventType { .resultAwaited }
    public var eventID: String {
        "\(request.id)/\(request.scanner)/awaited/\(awaitedAt.microseconds)"
    }
    public var eventTime: Timestamp? { awaitedAt }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        request.writeMembers(to: &writer)
        writer.field("address", address)
        writer.field("awaitedAt", awaitedAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            request: try ScanRequestKey(fields),
            address: try fields.required("address").text(maximumBytes: 300),
            awaitedAt: try fields.required("awaitedAt").time())
    }
}

extension ScanRequestDone: WireEvent, ScanRequestEvent {
    public static var eventType: EventType { .scanRequestDone }
    public var eventID: String { "\(request.id)/\(request.scanner)/done/\(scan)" }
    public var eventTime: Timestamp? { doneAt }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        request.writeMembers(to: &writer)
        writer.field("outcome", outcome.rawValue)
        writer.field("scan", scan)
        writer.field("doneAt", doneAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            request: try ScanRequestKey(fields), outcome: try fields.required("outcome").choice(),
            scan: try fields.required("scan").eventID(),
            doneAt: try fields.required("doneAt").time())
    }
}
