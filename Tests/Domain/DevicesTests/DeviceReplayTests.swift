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

    /// The stored parts of devices, as in the log.
    private struct Stored {
        var buckets: [DeviceKey: [UInt32: DeviceHistory.Bucket]] = [:]
        var memories: [DeviceKey: PositionerMemory] = [:]
        var visits: [DeviceKey: DeviceVisits] = [:]

        mutating func store(_ change: DeviceChange, of key: DeviceKey, _ device: Device?) {
            if let history = change.history {
                buckets[key, default: [:]][history.written.number] = history.written
                for number in history.expired { buckets[key]?[number] = nil }
            }
            if change.memory { memories[key] = device?.memory }
            if change.visits { visits[key] = device?.visits }
        }

        var restored: DeviceTable {
            var devices = DeviceTable()
            for (key, buckets) in buckets {
                for bucket in buckets.values { devices.restore(bucket, of: key) }
            }
            for (key, memory) in memories { devices.restore(memory, of: key) }
            for (key, visits) in visits { devices.restore(visits, of: key) }
            return devices
        }
    }

    /// The outcome of a run: a line for each scan and for each visit that time ends.
    private static func run(
        _ scans: [ScanRecorded], restoring: (Int) -> Bool
    ) -> (lines: [String], devices: [DeviceKey: Device]) {
        var (script, stored, lines) = (Script(), Stored(), [String]())
        for (number, scan) in scans.enumerated() {
            if restoring(number) { script.devices = stored.restored }
            let ends = script.devices.endVisits(at: scan.receivedAt, by: Script.rules)
            for (key, visits, change) in ends.sorted(by: { $0.key < $1.key }) {
                lines += visits.map(Script.word)
                stored.store(change, of: key, script.devices[key])
            }
            let (decision, change) = script.devices.decide(
                scan, in: script.site, by: Script.rules, locatedAt: scan.receivedAt,
                scratch: &script.scratch)
            let key = DeviceKey(scan.site, scan.device)
            if let change { stored.store(change, of: key, script.devices[key]) }
            switch decision {
            case .duplicate: lines.append("-")
            case .conflict: lines.append("!")
            case .located(let located):
                lines.append(Script.word(located.served))
                lines += located.visits.map(Script.word)
            }
        }
        return (lines, script.devices.devices)
    }

    @Test(
        "A replay from stored parts gives the same as going on without a restart",
        arguments: 0..<20 as Range<UInt64>)
    func replayed(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let scans = Self.scans(&random)
        let whole = Self.run(scans) { _ in false }
        #expect(whole.lines.contains { $0.contains("starts") })
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
            let decision = copy.decide(
                scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, scratch: &scratch)
            let (inPlace, change) = table.decide(
                scan, in: site, by: Script.rules, locatedAt: scan.receivedAt, scratch: &other)
            switch (decision, inPlace) {
            case (.duplicate, .duplicate), (.conflict, .conflict): #expect(change == nil)
            case (.located(let one), .located(let two)):
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
            default: Issue.record("\(decision) on a copy, \(inPlace) in place")
            }
        }
        #expect(devices == table.devices)
    }
}
