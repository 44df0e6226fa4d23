import Devices
import Events
import SampleSites
import SeededRandomness
import Testing

@Suite("Devices that are copied, stored and read back") struct DeviceReplayTests {
    /// The scans of three devices over some minutes. The devices change rooms, get lost, fall
    /// silent, repeat scans, and send some late or out of order.
    private static func scans(_ random: inout SeededRandom) -> [ScanRecorded] {
        var all: [(Int, ScanRecorded)] = []
        for device in ["d", "e", "f"] {
            var drawing = ""
            while drawing.count < 150 {
                let piece = ["AAAAAA", "BBBBBB", "D", "?", "<", "a", "..........", "ABAB"]
                    .randomElement(using: &random)!
                drawing += piece
            }
            for (index, scan) in Script.scans(drawing, of: device).enumerated() {
                // Some scans change places with later ones.
                let isSwapped = Int.random(in: 0..<9, using: &random) == 0
                all.append((index * 10 + (isSwapped ? 21 : 0), scan))
            }
        }
        return all.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map(\.element.1)
    }

    /// The parts of a device that are stored with each change.
    private struct Parts: Hashable {
        let memory: PositionerMemory
        let visits: DeviceVisits
        let groups: DeviceGroups
    }

    /// The stored parts of devices, as in the log.
    private struct Stored {
        /// The segments with the times at which they were stored.
        var segments: [(SeenSegment, Timestamp)] = []
        var positions: [(PositionEstimated, Timestamp)] = []
        var memories: [DeviceKey: PositionerMemory] = [:]
        var visits: [DeviceKey: DeviceVisits] = [:]
        var groups: [DeviceKey: DeviceGroups] = [:]

        mutating func store(_ change: DeviceChange, of key: DeviceKey, _ device: Device?) {
            if change.memory { memories[key] = device?.memory }
            if change.visits { visits[key] = device?.visits }
            if change.groups { groups[key] = device?.groups }
        }

        var restored: DeviceTable {
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
    }

    /// The outcome of a run: a line for each scan and for each visit that time ends.
    private static func run(
        _ scans: [ScanRecorded], restoring: (Int) -> Bool
    ) -> (lines: [String], devices: [DeviceKey: Parts]) {
        var (script, stored, lines) = (Script(), Stored(), [String]())
        script.site = Script.site(index: Script.grouped)
        // The log's clock does not go back, whatever the order in which scans arrived.
        var now = Timestamp(microseconds: 0)
        for (number, scan) in scans.enumerated() {
            now = max(now, scan.receivedAt)
            if restoring(number) { script.devices = stored.restored }
            let ends = script.devices.endVisits(at: scan.receivedAt, by: Script.rules)
            for (key, visits, change) in ends.sorted(by: { $0.key < $1.key }) {
                lines += visits.map(Script.word)
                stored.store(change, of: key, script.devices[key])
            }
            let (decision, change) = script.devices.decide(
                scan, in: script.site, by: Script.rules, locatedAt: scan.receivedAt,
                appendedAt: now, scratch: &script.scratch)
            let key = DeviceKey(scan.site, scan.device)
            if let change { stored.store(change, of: key, script.devices[key]) }
            switch decision {
            case .duplicate: lines.append("-")
            case .conflict: lines.append("!")
            case .located(let located):
                lines.append(Script.word(located.served))
                lines += located.visits.map(Script.word)
                if let served = located.served {
                    stored.positions.append((served, now))
                }
            }
            let written = script.devices.seenChanges(at: now).written
            stored.segments += written.map { ($0, now) }
        }
        return (
            lines,
            script.devices.devices.mapValues {
                Parts(memory: $0.memory, visits: $0.visits, groups: $0.groups)
            }
        )
    }

    @Test(
        "A replay from stored parts gives the same as going on without a restart",
        arguments: 0..<20 as Range<UInt64>)
    func replayed(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let scans = Self.scans(&random)
        let whole = Self.run(scans) { _ in false }
        #expect(whole.lines.contains { $0.contains("starts") })
        #expect(whole.lines.contains { $0.contains("entered") })
        #expect(whole.lines.contains("-"))
        let cut = Self.run(scans) { _ in Int.random(in: 0..<6, using: &random) == 0 }
        #expect(cut.lines == whole.lines)
        #expect(cut.devices == whole.devices)
    }

    @Test(
        "Deciding on a copy gives the same as in place, and leaves the device unchanged",
        arguments: 0..<20 as Range<UInt64>)
    func copies(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (table, devices) = (DeviceTable(), [DeviceKey: Device]())
        var (scratch, other) = (DeviceScratch(), DeviceScratch())
        let site = Script.site()
        for scan in Self.scans(&random) {
            let key = DeviceKey(scan.site, scan.device)
            let device = devices[key] ?? Device()
            var copy = device
            let one = copy.decide(
                scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, scratch: &scratch)
            let (inPlace, change) = table.decide(
                scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, scratch: &other)
            switch inPlace {
            // The table alone knows which scans it had.
            case .duplicate, .conflict: #expect(change == nil)
            case .located(let two):
                #expect(one.answers.map(\.position) == two.answers.map(\.position))
                #expect(one.visits == two.visits)
                #expect(copy == device)
                #expect(copy.evolve(one) == change)
                // A decision that is thrown away must not leave a trace.
                if Int.random(in: 0..<4, using: &random) == 0 {
                    var again = device
                    _ = again.evolve(one)
                    #expect(again == copy)
                }
                devices[key] = copy
            }
        }
        #expect(devices == table.devices)
    }
}
