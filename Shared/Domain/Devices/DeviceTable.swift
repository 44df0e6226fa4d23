public import Events

/// The devices of one partition of the log, with decisions applied in place.
///
/// All times are those at which the log appended the partition's records.
public struct DeviceTable: Sendable {
    public private(set) var devices: [DeviceKey: Device] = [:]
    /// The partition's scans of the last day.
    public private(set) var seen = SeenScans()
    /// The devices that are in any zone or group. Passing time changes nothing for others.
    private var visiting: Set<DeviceKey> = []
    private var sweptAt = Timestamp(microseconds: 0)
    private var visitsEndedAt = Timestamp(microseconds: 0)

    /// The time between two searches for idle devices.
    private static let sweepMicroseconds: Int64 = 600_000_000
    /// The time between two searches for visits that are over.
    private static let endingMicroseconds: Int64 = 10_000_000

    public init() {}

    public subscript(key: DeviceKey) -> Device? { devices[key] }

    /// Whether any device is in a zone or a group, so that passing time may end a visit.
    public var isVisited: Bool { !visiting.isEmpty }

    /// Decides on the scan and applies the decision.
    ///
    /// - Parameter appendedAt: when the log appended the scan; nil counts as its arrival.
    /// - Returns: the decision, and the parts to store; nil where nothing has changed.
    public mutating func decide(
        _ scan: ScanRecorded, in site: SiteKnowledge, by rules: DeviceRules, locatedAt: Timestamp,
        isPutBack: Bool = false, appendedAt: Timestamp? = nil, scratch: inout DeviceScratch
    ) -> (decision: ScanDecision, change: DeviceChange?) {
        let key = DeviceKey(scan.site, scan.device)
        let hash = SeenScans.hash(of: key)
        let sighting = ScanSighting(scan)
        switch seen.outcome(sighting, of: hash) {
        case .duplicate: return (.duplicate, nil)
        case .conflict: return (.conflict, nil)
        case .new: break
        }
        let (located, change, newest) = devices[key, default: Device()].decideAndEvolve(
            scan, sighting, heard: seen.times(of: hash), in: site, by: rules,
            locatedAt: locatedAt, isPutBack: isPutBack, scratch: &scratch)
        seen.add(
            sighting, of: hash, newest: newest, appendedAt: appendedAt ?? scan.receivedAt)
        if change.visits || change.groups { noteVisits(of: key) }
        return (.located(located), change)
    }

    /// The changes to store of the scans that were seen; to be called once for each batch.
    public mutating func seenChanges(at now: Timestamp) -> SeenScans.Changes {
        seen.changes(at: now)
    }

    /// Ends the visits that no later scan can change.
    public mutating func endVisits(
        at now: Timestamp, by rules: DeviceRules
    ) -> [(key: DeviceKey, visits: [VisitEvent], change: DeviceChange)] {
        guard now - visitsEndedAt >= Self.endingMicroseconds else { return [] }
        visitsEndedAt = now
        var all: [(key: DeviceKey, visits: [VisitEvent], change: DeviceChange)] = []
        for key in visiting {
            guard let device = devices[key] else { continue }
            let heard = device.times ?? seen.times(of: SeenScans.hash(of: key))
            guard let ended = device.decide(timePassedTo: now, of: key, by: rules, heard: heard),
                let change = devices[key]?.evolve(ended)
            else { continue }
            all.append((key, ended.visits, change))
        }
        for (key, _, _) in all { noteVisits(of: key) }
        return all
    }

    /// Removes devices that were silent for a day, and returns them as they were.
    public mutating func forgetIdle(at now: Timestamp) -> [(key: DeviceKey, device: Device)] {
        guard now - sweptAt > Self.sweepMicroseconds else { return [] }
        sweptAt = now
        seen.forgetIdle(at: now)
        let limit = now.advanced(byMicroseconds: -SeenScans.keptSeconds * 1_000_000)
        let idle = devices.filter { key, device in
            let times = device.times ?? seen.times(of: SeenScans.hash(of: key))
            return times.map { $0.lastArrival < limit } ?? true
        }
        for key in idle.keys {
            devices[key] = nil
            visiting.remove(key)
        }
        return idle.map { ($0.key, $0.value) }
    }

    /// Removes a device at once, and returns it as it was.
    public mutating func erase(_ key: DeviceKey) -> Device? {
        visiting.remove(key)
        seen.forget(SeenScans.hash(of: key))
        return devices.removeValue(forKey: key)
    }

    // MARK: Stored parts

    /// - Parameter moment: when the segment was appended to the log.
    public mutating func restore(_ segment: SeenSegment, storedAt moment: Timestamp) {
        seen.restore(segment, storedAt: moment)
    }

    /// Applies the removal of a segment's record.
    public mutating func restore(removed segment: UInt32) {
        seen.restore(removed: segment)
    }

    /// Adds the scan that a position names, unless a segment has it.
    public mutating func restore(_ position: PositionEstimated, appendedAt: Timestamp) {
        seen.restore(
            position.scan, of: SeenScans.hash(of: DeviceKey(position.site, position.device)),
            // A late position moves no time; its own is older than the device's newest scan.
            newest: DeviceTimes(
                newestScan: min(position.at, appendedAt), lastArrival: appendedAt),
            appendedAt: appendedAt)
    }

    /// Applies an erasure that was appended after the device's positions.
    public mutating func restore(erased key: DeviceKey) {
        seen.forget(SeenScans.hash(of: key))
    }

    public mutating func restore(_ bucket: FormerBucket, of key: DeviceKey) {
        seen.restore(bucket, of: key)
    }

    /// Applies the removal of a bucket's record.
    public mutating func restore(removed bucket: UInt32, of key: DeviceKey) {
        seen.restore(removed: bucket, of: key)
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

    /// - Parameter groups: nil where the device is in no group.
    public mutating func restore(_ groups: DeviceGroups?, of key: DeviceKey) {
        devices[key, default: Device()].restore(groups ?? DeviceGroups())
        noteVisits(of: key)
        forgetEmpty(key)
    }

    private mutating func forgetEmpty(_ key: DeviceKey) {
        if devices[key]?.isEmpty == true { devices[key] = nil }
    }

    private mutating func noteVisits(of key: DeviceKey) {
        if devices[key]?.isVisiting == true {
            visiting.insert(key)
        } else {
            visiting.remove(key)
        }
    }
}
