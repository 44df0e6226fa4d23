public import Events
internal import JSON

/// The body of `POST /v1/sites/{site}/scan-requests`.
public struct ScanRequestSubmission: Hashable, Sendable {
    /// Nil for a new id.
    public var id: EventID?
    public var scanners: [ScannerID]
    public var place: SurveyPlace?
    public var room: RoomID?
    public var store: Bool
    public var timeoutSeconds: Int?

    private static let timeoutRange = -1_000_000...1_000_000
    private static let known: Set = [
        "id", "scanner", "scanners", "place", "room", "store", "timeoutSeconds",
    ]

    /// Reads `{"id"?, "scanner" | "scanners", "place"?, "room"?, "store"?, "timeoutSeconds"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a request for a scan is an object")
            }
            try object.checkMembers(Self.known)
            return try ScanRequestSubmission(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        id = try fields.optional("id")?.eventID()
        scanners = try fields.elements("scanners") { (value) throws(WireFault) in
            try value.identifier(.scannerMalformed)
        }
        if let one = fields.optional("scanner") {
            scanners.append(try one.identifier(.scannerMalformed))
        }
        place = try fields.surveyPlace("place")
        room = try fields.optional("room")?.identifier()
        store = try fields.optional("store")?.bool() ?? false
        timeoutSeconds = try fields.optional("timeoutSeconds")?.integer(in: Self.timeoutRange)
    }
}

/// The body of `PATCH /v1/sites/{site}/scan-requests/{id}`: the report's switch. Members that are
/// nil stay as they were.
public struct ScanSwitchPatch: Hashable, Sendable {
    /// False cancels the request; true asks the same again.
    public var isOn: Bool
    public var place: SurveyPlace?
    public var room: RoomID?
    public var store: Bool?
    public var timeoutSeconds: Int?

    private static let timeoutRange = -1_000_000...1_000_000
    private static let known: Set = [
        "scanSwitch", "place", "room", "store", "timeoutSeconds", "locationID", "roomID",
        "storeData",
    ]
    /// Members of the request's own answer, which may be sent back with another `scanSwitch`.
    private static let answered: Set = [
        "id", "site", "scanners", "askedBy", "askedAt", "until", "state", "shouldScan",
    ]

    /// Reads `{"scanSwitch", "place"?, "room"?, "store"?, "timeoutSeconds"?}`, with the report's
    /// names besides: `locationID`, `roomID` and `storeData`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a change of the switch is an object")
            }
            try object.checkMembers(Self.known, or: Self.answered)
            return try ScanSwitchPatch(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        isOn = try fields.required("scanSwitch").bool()
        let location: LocationID? = try fields.optional("locationID")?.identifier()
        place = try fields.surveyPlace("place") ?? location.map(SurveyPlace.location)
        room = try (fields.optional("room") ?? fields.optional("roomID"))?.identifier()
        store = try (fields.optional("store") ?? fields.optional("storeData"))?.bool()
        timeoutSeconds = try fields.optional("timeoutSeconds")?.integer(in: Self.timeoutRange)
    }
}

extension FieldReader {
    fileprivate func surveyPlace(_ name: StaticString) throws(WireFault) -> SurveyPlace? {
        guard optional(name) != nil else { return nil }
        return try required(name) { (value) throws(WireFault) in try Wire.surveyPlace(value) }
    }
}
