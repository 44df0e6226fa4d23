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

    private static let site = Script.site(index: Script.grouped)

    @Test(
        "A replay from stored parts gives the same as going on without a restart",
        arguments: 0..<20 as Range<UInt64>)
    func replayed(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let scans = Self.scans(&random)
        let whole = StoredDevices.run(scans, in: Self.site) { _ in false }
        #expect(whole.lines.contains { $0.contains("starts") })
        #expect(whole.lines.contains { $0.contains("entered") })
        #expect(whole.lines.contains("-"))
        let cut = StoredDevices.run(scans, in: Self.site) { _ in
            Int.random(in: 0..<6, using: &random) == 0
        }
        #expect(cut.lines == whole.lines)
        #expect(cut.devices == whole.devices)
        let always = StoredDevices.run(scans, in: Self.site) { _ in true }
        #expect(always.lines == whole.lines)
        #expect(always.devices == whole.devices)
    }

    @Test("Visits and groups of a device that stays where it is are hardly ever stored")
    func atRest() {
        // Ten minutes, and then the device leaves.
        let rest = Script.scans(String(repeating: "A", count: 120) + "BBBBB")
        let outcome = StoredDevices.run(rest, in: Self.site) { _ in false }
        #expect(
            outcome.lines.filter { $0.contains(" ") } == [
                "hall entered 0", "house starts 0", "A starts 0", "shop entered 600",
                "A ends 595 left", "B starts 600", "hall left 595",
            ])
        #expect(outcome.groups == 4)
        #expect(outcome.visits < 35)
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
