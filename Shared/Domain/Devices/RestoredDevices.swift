public import Events

/// The state of devices, made from the positions and visits of a backup.
///
/// It has the ids of the last day's scans, so that none is located twice when it is sent again, and
/// the visits that last.
/// States of positioners are not in a backup. Each begins anew with the device's next scan.
public struct RestoredDevices: Sendable {
    private struct Known: Sendable {
        var history = DeviceHistory()
        var lastAt: Timestamp?
        var stays: [EventID: DeviceVisits.Stay] = [:]
    }

    private var devices: [DeviceKey: Known] = [:]

    public init() {}

    /// Adds a position of the last day, in the order of the log.
    ///
    /// - Returns: a bucket of ids that is full, to be stored now.
    public mutating func add(
        _ position: PositionEstimated, appendedAt: Timestamp
    ) -> DeviceHistory.Bucket? {
        let key = DeviceKey(position.site, position.device)
        var known = devices.removeValue(forKey: key) ?? Known()
        defer { devices[key] = known }
        let at = position.late ? known.lastAt ?? position.at : position.at
        known.lastAt = max(known.lastAt ?? at, at)
        _ = known.history.evolve(
            ScanSighting(
                idHash: ScanSighting.hash(of: position.scan),
                contentHash: ScanSighting.unknownContent, at: at, arrivedAt: appendedAt))
        guard known.history.buckets.count > 1 else { return nil }
        let full = known.history.buckets[0]
        known.history = DeviceHistory(buckets: known.history.buckets.dropFirst())
        return full
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

    public mutating func erase(_ key: DeviceKey) { devices[key] = nil }

    /// The state of each device that is not stored yet.
    public var unstored: [(key: DeviceKey, bucket: DeviceHistory.Bucket?, visits: DeviceVisits)] {
        devices.map { key, known in (key, known.history.buckets.last, Self.visits(of: known)) }
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
}
