public import EventLog
public import Events

/// A visit as the events so far describe it.
public struct KnownVisit: Sendable {
    public var visit: EventID
    public var site: SiteID
    public var device: DeviceID
    public var zone: Zone
    public var entered: Timestamp
    /// Nil while the visit lasts.
    public var left: Timestamp?
    public var confidence: Double
    public var reason: VisitEnded.Reason?
    /// The time at which the log received the event; 0 for a row without it.
    public var appendedAtMicroseconds: Int64

    public init(
        visit: EventID, site: SiteID, device: DeviceID, zone: Zone, entered: Timestamp,
        left: Timestamp? = nil, confidence: Double, reason: VisitEnded.Reason? = nil,
        appendedAtMicroseconds: Int64 = 0
    ) {
        self.visit = visit
        self.site = site
        self.device = device
        self.zone = zone
        self.entered = entered
        self.left = left
        self.confidence = confidence
        self.reason = reason
        self.appendedAtMicroseconds = appendedAtMicroseconds
    }

    /// The visit of an event.
    public init(_ record: StoredRecord) throws(WireFault) {
        if record.headers["ce_type"] == EventType.visitStarted.name {
            let event = try VisitStarted(record: record)
            self.init(
                visit: event.visit, site: event.site, device: event.device, zone: event.zone,
                entered: event.entered, confidence: event.confidence)
        } else {
            let event = try VisitEnded(record: record)
            self.init(
                visit: event.visit, site: event.site, device: event.device, zone: event.zone,
                entered: event.entered, left: event.left, confidence: event.confidence,
                reason: event.reason)
        }
        appendedAtMicroseconds = record.appendedAtMicroseconds
    }
}
