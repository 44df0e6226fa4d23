import Devices
import Events

/// The stored parts of devices, as in the log, and a run over scans that reads them back now and
/// then.
struct StoredDevices {
    /// The parts of a device that are stored with each change.
    struct Parts: Hashable {
        let memory: PositionerMemory
        let visits: DeviceVisits
        let groups: DeviceGroups
    }

    /// The outcome of a run.
    struct Outcome {
        /// A line for each scan, and for each visit that a scan or time begins or ends.
        var lines: [String] = []
        /// The number of times that each part was stored.
        var memories = 0
        var visits = 0
        var groups = 0
        var devices: [DeviceKey: Parts] = [:]
    }

    /// The segments with the times at which they were stored.
    private var segments: [(SeenSegment, Timestamp)] = []
    private var positions: [(PositionEstimated, Timestamp)] = []
    private var memories: [DeviceKey: PositionerMemory] = [:]
    private var visits: [DeviceKey: DeviceVisits] = [:]
    private var groups: [DeviceKey: DeviceGroups] = [:]

    private mutating func store(
        _ change: DeviceChange, of key: DeviceKey, _ device: Device?, _ outcome: inout Outcome
    ) {
        if change.memory { memories[key] = device?.memory }
        if change.visits { visits[key] = device?.visits }
        if change.groups { groups[key] = device?.groups }
        outcome.memories += change.memory ? 1 : 0
        outcome.visits += change.visits ? 1 : 0
        outcome.groups += change.groups ? 1 : 0
    }

    private var restored: DeviceTable {
        var devices = DeviceTable()
        for (segment, storedAt) in segments { devices.restore(segment, storedAt: storedAt) }
        for (key, memory) in memories { devices.restore(memory, of: key) }
        for (key, visits) in visits { devices.restore(visits, of: key) }
        for (key, groups) in groups { devices.restore(groups, of: key) }
        if let from = devices.seen.restoredUntil {
            for (position, appendedAt) in positions where appendedAt >= from {
                devices.restore(position, appendedAt: appendedAt)
            }
        }
        return devices
    }

    /// Decides on the scans in their order.
    ///
    /// - Parameters:
    ///   - word: describes a served position.
    ///   - restoring: whether the devices are read back before the scan of this number.
    static func run(
        _ scans: [ScanRecorded], in site: SiteKnowledge,
        word: (PositionEstimated?) -> String = Script.word, restoring: (Int) -> Bool
    ) -> Outcome {
        var (stored, outcome) = (StoredDevices(), Outcome())
        var (devices, scratch) = (DeviceTable(), DeviceScratch())
        // The log's clock does not go back, whatever the order in which scans arrived.
        var now = Timestamp(microseconds: 0)
        for (number, scan) in scans.enumerated() {
            now = max(now, scan.receivedAt)
            if restoring(number) { devices = stored.restored }
            let ends = devices.endVisits(at: scan.receivedAt, by: Script.rules)
            for (key, visits, change) in ends.sorted(by: { $0.key < $1.key }) {
                outcome.lines += visits.map(Script.word)
                stored.store(change, of: key, devices[key], &outcome)
            }
            let (decision, change) = devices.decide(
                scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, appendedAt: now,
                scratch: &scratch)
            let key = DeviceKey(scan.site, scan.device)
            if let change { stored.store(change, of: key, devices[key], &outcome) }
            switch decision {
            case .duplicate: outcome.lines.append("-")
            case .conflict: outcome.lines.append("!")
            case .located(let located):
                outcome.lines.append(word(located.served))
                outcome.lines += located.visits.map(Script.word)
                if let served = located.served { stored.positions.append((served, now)) }
            }
            let written = devices.seenChanges(at: now).written
            stored.segments += written.map { ($0, now) }
        }
        outcome.devices = devices.devices.mapValues {
            Parts(memory: $0.memory, visits: $0.visits, groups: $0.groups)
        }
        return outcome
    }
}
