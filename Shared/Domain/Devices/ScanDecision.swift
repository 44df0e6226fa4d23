public import Events
public import Positioning
import Site

/// The decision on a scan.
public enum ScanDecision: Sendable {
    /// The id was seen before with the same content.
    case duplicate
    /// The id was seen before with other content.
    case conflict
    case located(LocatedScan)
}

/// A located scan, with its consequences for the device.
public struct LocatedScan: Sendable {
    /// A positioner's estimate, and the position event made from it.
    public struct Answer: Sendable {
        public var estimate: Estimate
        public var position: PositionEstimated
    }

    /// The scan in the form that positioners get.
    public internal(set) var radio: RadioScan
    public let isLate: Bool
    /// Whether the scan becomes the device's newest; otherwise the device does not change.
    public let isMoved: Bool
    /// One answer for each positioner, the served one first.
    public internal(set) var answers: [Answer] = []
    public internal(set) var visits: [VisitEvent] = []
    /// The batteries that the scan had, also where it is late.
    public internal(set) var batteries: [BeaconBatteryReported] = []
    /// The positioners whose states are too large to store.
    public internal(set) var tooLarge: [(positioner: String, byteCount: Int)] = []

    let sighting: ScanSighting
    /// The device's states, zones and groups after the scan; nil where they do not change.
    var memory: PositionerMemory?
    var zones: DeviceVisits?
    var groups: DeviceGroups?

    init(
        _ scan: ScanRecorded, _ sighting: ScanSighting, isLate: Bool, isMoved: Bool,
        beacons: BeaconTable?
    ) {
        radio = RadioScan(scan, beacons: beacons)
        // A clock that runs ahead must not move the device's state into the future.
        radio.at = min(radio.at, scan.receivedAt)
        self.sighting = sighting
        self.isLate = isLate
        self.isMoved = isMoved
    }

    public var served: PositionEstimated? { answers.first?.position }
}

/// The ends of a device's visits because time has passed.
public struct EndedVisits: Hashable, Sendable {
    public var visits: [VisitEvent] = []
    /// The device's zones and groups after it; nil where they do not change.
    var zones: DeviceVisits?
    var groups: DeviceGroups?
}

/// The beginning or the end of a visit, of a zone or of a group of beacons.
public enum VisitEvent: Hashable, Sendable {
    case started(VisitStarted)
    case ended(VisitEnded)
    case entered(GroupEntered)
    case left(GroupLeft)

    init(_ change: DeviceVisits.Change, of key: DeviceKey, _ digests: Digests) {
        switch change {
        case .started(let stay):
            self = .started(
                VisitStarted(
                    visit: digests.visit(key, stay.zone, stay.entered), site: key.site,
                    device: key.device, zone: stay.zone, entered: stay.entered,
                    confidence: stay.confidence))
        case .ended(let stay, let reason):
            self = .ended(
                VisitEnded(
                    visit: digests.visit(key, stay.zone, stay.entered), site: key.site,
                    device: key.device, zone: stay.zone, entered: stay.entered,
                    left: stay.lastInside, confidence: stay.confidence, reason: reason))
        }
    }

    init(_ change: DeviceGroups.Change, of key: DeviceKey, _ digests: Digests) {
        switch change {
        case .entered(let stay):
            self = .entered(
                GroupEntered(
                    visit: digests.groupVisit(key, stay.group, stay.entered), site: key.site,
                    device: key.device, group: stay.group, floor: stay.floor,
                    entered: stay.entered))
        case .left(let stay):
            self = .left(
                GroupLeft(
                    visit: digests.groupVisit(key, stay.group, stay.entered), site: key.site,
                    device: key.device, group: stay.group, floor: stay.floor,
                    entered: stay.entered, left: stay.lastHeard))
        }
    }
}

/// The parts of a device that a decision has changed and that have to be stored.
public struct DeviceChange: Hashable, Sendable {
    public var memory: Bool
    public var visits: Bool
    public var groups: Bool
}
