public import Events

/// The state of one partition's devices, made from the positions and visits of a backup.
///
/// It has the ids of the last day's scans, so that none is located twice when it is sent again, and
/// the visits that last.
/// States of positioners are not in a backup. Each begins anew with the device's next scan.
public struct RestoredDevices: Sendable {
    private struct Known: Sendable {
        var lastAt: Timestamp?
        var stays: [EventID: DeviceVisits.Stay] = [:]
        var groups: [EventID: DeviceGroups.Stay] = [:]
    }

    private var devices: [DeviceKey: Known] = [:]
    private var seen = SeenScans()

    public init() {}

    /// Adds a position of the last day, in the order of the log.
    ///
    /// - Returns: a segment of ids that is full, to be stored now.
    public mutating func add(
        _ position: PositionEstimated, appendedAt: Timestamp
    ) -> SeenSegment? {
        let key = DeviceKey(position.site, position.device)
        let before = devices[key]?.lastAt
        let at = min(position.late ? before ?? position.at : position.at, appendedAt)
        let newest = max(before ?? at, at)
        devices[key, default: Known()].lastAt = newest
        seen.add(
            ScanSighting(
                idHash: ScanSighting.hash(of: position.scan),
                contentHash: ScanSighting.unknownContent, at: at, arrivedAt: appendedAt),
            of: SeenScans.hash(of: key), newest: newest, appendedAt: appendedAt)
        return seen.isFull ? seen.segmentWithoutTable(at: appendedAt) : nil
    }

    public mutating func add(_ started: VisitStarted) {
        devices[DeviceKey(started.site, started.device), default: Known()].stays[started.visit] =
            DeviceVisits.Stay(
                zone: started.zone, entered: started.entered, lastInside: started.entered,
                firstOutside: nil, scans: 1, probabilitySum: started.confidence, isVisit: true)
    }

    public mutating func add(_ ended: VisitEnded) {
        devices[DeviceKey(ended.site, ended.device)]?.stays[ended.visit] = nil
    }

    public mutating func add(_ entered: GroupEntered) {
        devices[DeviceKey(entered.site, entered.device), default: Known()].groups[entered.visit] =
            DeviceGroups.Stay(
                group: entered.group, floor: entered.floor, entered: entered.entered,
                lastHeard: entered.entered)
    }

    public mutating func add(_ left: GroupLeft) {
        devices[DeviceKey(left.site, left.device)]?.groups[left.visit] = nil
    }

    public mutating func erase(_ key: DeviceKey) {
        devices[key] = nil
        seen.forget(SeenScans.hash(of: key))
    }

    /// The last segment of ids. A partition gets one even if it had no scans, so that nothing is
    /// read back from its positions.
    public mutating func lastSegment(at now: Timestamp) -> SeenSegment {
        seen.segmentWithoutTable(at: now)
    }

    /// The visits of each device that last.
    public var visits: [(key: DeviceKey, visits: DeviceVisits)] {
        devices.compactMap { key, known in
            let visits = Self.visits(of: known)
            return visits.stays.isEmpty ? nil : (key, visits)
        }
    }

    /// The groups of beacons that each device is in.
    public var groups: [(key: DeviceKey, groups: DeviceGroups)] {
        devices.compactMap { key, known in
            let groups = Self.groups(of: known)
            return groups.stays.isEmpty ? nil : (key, groups)
        }
    }

    /// The device was in its zones until it was located last, as far as anybody knows.
    private static func visits(of known: Known) -> DeviceVisits {
        let stays = known.stays.values.sorted { ($0.entered, $0.zone) < ($1.entered, $1.zone) }
            .suffix(DeviceVisits.maximumStays)
            .map { stay in
                var stay = stay
                stay.lastInside = max(stay.entered, known.lastAt ?? stay.entered)
                return stay
            }
        return DeviceVisits(stays: stays, lastLocated: stays.map(\.lastInside).max())
    }

    /// As for zones: the device received the groups' beacons until it was located last.
    private static func groups(of known: Known) -> DeviceGroups {
        let stays = known.groups.values.sorted { ($0.entered, $0.group) < ($1.entered, $1.group) }
            .suffix(DeviceGroups.maximumStays)
            .map { stay in
                var stay = stay
                stay.lastHeard = max(stay.entered, known.lastAt ?? stay.entered)
                return stay
            }
        return DeviceGroups(stays: stays)
    }
}
