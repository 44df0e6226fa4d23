/// A part of a site that can be visited, such as a room. It has the id of the room or building.
public struct ZoneID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// The kind of a zone. Ids are unique within a kind.
public enum ZoneKind: String, Hashable, Sendable, CaseIterable, Comparable {
    case building, room
    /// One of the site's own zones, such as an exhibition.
    case zone

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public struct Zone: Hashable, Sendable, Comparable {
    public var kind: ZoneKind
    public var id: ZoneID

    public init(_ kind: ZoneKind, _ id: ZoneID) {
        self.kind = kind
        self.id = id
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.kind, left.id) < (right.kind, right.id)
    }
}

/// A device has been in a zone for the dwell (topic `visits`, key `site/device`).
public struct VisitStarted: Hashable, Sendable {
    /// UUIDv5 of the device, the zone and `entered`; the same in `VisitEnded`.
    public var visit: EventID
    public var site: SiteID
    public var device: DeviceID
    public var zone: Zone
    /// The time of the first scan in the zone.
    public var entered: Timestamp
    /// The mean probability of the zone over the visit's scans so far.
    public var confidence: Double

    public init(
        visit: EventID, site: SiteID, device: DeviceID, zone: Zone, entered: Timestamp,
        confidence: Double
    ) {
        self.visit = visit
        self.site = site
        self.device = device
        self.zone = zone
        self.entered = entered
        self.confidence = confidence
    }
}

/// A device has left a zone, or has sent no scan for too long.
public struct VisitEnded: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The device was located elsewhere.
        case left
        /// The device was not located for longer than the limit.
        case silent
        /// The device has another pseudonym from now on: the key of the day before has ended.
        case renamed
    }

    public var visit: EventID
    public var site: SiteID
    public var device: DeviceID
    public var zone: Zone
    public var entered: Timestamp
    /// The time of the last scan in the zone.
    public var left: Timestamp
    /// The mean probability of the zone over all scans of the visit.
    public var confidence: Double
    public var reason: Reason

    public init(
        visit: EventID, site: SiteID, device: DeviceID, zone: Zone, entered: Timestamp,
        left: Timestamp, confidence: Double, reason: Reason
    ) {
        self.visit = visit
        self.site = site
        self.device = device
        self.zone = zone
        self.entered = entered
        self.left = left
        self.confidence = confidence
        self.reason = reason
    }
}

/// Time has passed in a partition to which nothing else is appended (topic `scans`). Visits that
/// end after a time without scans end here, also when the topic is read again.
public struct TimePassed: Hashable, Sendable {
    public var partition: Int
    public var at: Timestamp

    public init(partition: Int, at: Timestamp) {
        self.partition = partition
        self.at = at
    }
}
