public import Events

/// The devices of one partition of the log, with decisions applied in place.
///
/// All times are those at which the log appended the partition's records.
public struct DeviceTable: Sendable {
    public private(set) var devices: [DeviceKey: Device] = [:]
    /// The devices that are in any zone. Passing time changes nothing for others.
    private var visiting: Set<DeviceKey> = []
    private var sweptAt = Timestamp(microseconds: 0)
    private var visitsEndedAt = Timestamp(microseconds: 0)

    /// The time between two searches for idle devices.
    private static let sweepMicroseconds: Int64 = 600_000_000
    /// The time between two searches for visits that are over.
    private static let endingMicroseconds: Int64 = 10_000_000

    public init() {}

    public subscript(key: DeviceKey) -> Device? { devices[key] }

    /// Whether any device is in a zone, so that passing time may end a visit.
    public var isVisited: Bool { !visiting.isEmpty }

    /// Decides on the scan and applies the decision.
    ///
    /// - Returns: the decision, and the parts to store; nil where nothing has changed.
    public mutating func decide(
        _ scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp,
        isPutBack: Bool = false, scratch: inout DeviceScratch
    ) -> (decision: ScanDecision, change: DeviceChange?) {
        let key = DeviceKey(scan.site, scan.device)
        let (decision, change) = devices[key, default: Device()].decideAndEvolve(
            scan, in: site, by: rules, locatedAt: locatedAt, isPutBack: isPutBack,
            scratch: &scratch)
        if change?.visits == true { noteVisits(of: key) }
        return (decision, change)
    }

    /// Ends the visits that no later scan can change.
    public mutating func endVisits(
        at now: Timestamp, by rules: DeviceRules
    ) -> [(key: DeviceKey, visits: [VisitEvent], change: DeviceChange)] {
        guard now - visitsEndedAt >= Self.endingMicroseconds else { return [] }
        visitsEndedAt = now
        var all: [(key: DeviceKey, visits: [VisitEvent], change: DeviceChange)] = []
        for key in visiting {
            guard let ended = devices[key]?.decide(timePassedTo: now, of: key, by: rules),
                let change = devices[key]?.evolve(ended)
            else { continue }
            all.append((key, ended.visits, change))
        }
        for (key, _, _) in all { visiting.remove(key) }
        return all
    }

    /// Removes devices that were silent for a day, and returns them as they were.
    public mutating func forgetIdle(at now: Timestamp) -> [(key: DeviceKey, device: Device)] {
        guard now - sweptAt > Self.sweepMicroseconds else { return [] }
        sweptAt = now
        let idle = devices.filter { $0.value.isIdle(at: now) }
        for key in idle.keys {
            devices[key] = nil
            visiting.remove(key)
        }
        return idle.map { ($0.key, $0.value) }
    }

    /// Removes a device at once, and returns it as it was.
    public mutating func erase(_ key: DeviceKey) -> Device? {
        visiting.remove(key)
        return devices.removeValue(forKey: key)
    }

    // MARK: Stored parts

    public mutating func restore(_ bucket: DeviceHistory.Bucket, of key: DeviceKey) {
        devices[key, default: Device()].restore(bucket)
    }

    /// Applies the removal of a bucket's record.
    public mutating func restore(removed bucket: UInt32, of key: DeviceKey) {
        devices[key]?.remove(bucket)
        forgetEmpty(key)
    }

    /// - Parameter memory: nil where there are no states.
    public mutating func restore(_ memory: PositionerMemory?, of key: DeviceKey) {
        devices[key, default: Device()].restore(memory ?? PositionerMemory())
        forgetEmpty(key)
    }

    /// - Parameter visits: nil where the device is in no zone.
    public mutating func restore(_ visits: DeviceVisits?, of key: DeviceKey) {
        devices[key, default: Device()].restore(visits ?? DeviceVisits())
        noteVisits(of: key)
        forgetEmpty(key)
    }

    private mutating func forgetEmpty(_ key: DeviceKey) {
        if devices[key]?.isEmpty == true { devices[key] = nil }
    }

    private mutating func noteVisits(of key: DeviceKey) {
        if devices[key]?.visits.stays.isEmpty == false {
            visiting.insert(key)
        } else {
            visiting.remove(key)
        }
    }
}
