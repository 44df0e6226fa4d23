public import Events
internal import JSON

/// A scan that somebody asks of a scanner.
public struct ScannerTask: Hashable, Sendable {
    public var id: EventID
    /// Where the scan becomes a survey of this place; nil for a scan.
    public var place: SurveyPlace?
    /// Whether the scan is kept. Otherwise it goes back to the asker alone.
    public var isStored: Bool
    /// The seconds in which the scan may begin, from the answer on.
    public var secondsLeft: Double
}

/// The answer to a scanner's long poll, `GET /v1/scanners/{scanner}/requests`.
public struct ScanRequestPoll: Hashable, Sendable {
    public var tasks: [ScannerTask]
    /// Requests that were cancelled a short time ago.
    public var cancelled: [EventID]
    /// The `after` of the next poll.
    public var next: String

    /// Reads `{"requests", "cancelled"?, "next"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            return Self(
                tasks: try fields.elements("requests", task),
                cancelled: try fields.elements("cancelled") { value throws(WireFault) in
                    try value.eventID()
                },
                next: try fields.optional("next")?.text(maximumBytes: 256) ?? "")
        }
    }

    private init(tasks: [ScannerTask], cancelled: [EventID], next: String) {
        self.tasks = tasks
        self.cancelled = cancelled
        self.next = next
    }
}

private func task(_ value: WireValue) throws(WireFault) -> ScannerTask {
    let fields = try FieldReader(value)
    var place: SurveyPlace?
    if fields.optional("place") != nil { place = try fields.required("place", surveyPlace) }
    return ScannerTask(
        id: try fields.required("id").eventID(), place: place,
        isStored: try fields.optional("store")?.bool() ?? false,
        secondsLeft: try fields.optional("secondsLeft")?.number(in: 0...86_400) ?? 20)
}
