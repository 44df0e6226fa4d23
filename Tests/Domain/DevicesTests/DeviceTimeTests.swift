import Devices
import Events
import SampleSites
import Testing

/// Scans are drawn as in `Script`: one character for every five seconds.
@Suite("A device's visits and its time") struct DeviceTimeTests {
    private static let key = DeviceKey(SampleSite.id, DeviceID("d"))

    @Test(
        "Visits start after ten seconds inside and end after ten outside",
        arguments: [
            ("AA", []),
            ("AAA", ["house starts 0", "A starts 0"]),
            ("AAABBB", ["house starts 0", "A starts 0", "A ends 10 left", "B starts 15"]),
            // The device is lost for a moment, which gives no evidence for any room.
            ("AAA??AA", ["house starts 0", "A starts 0"]),
            // Late scans change no visit.
            ("AAAbbbbA", ["house starts 0", "A starts 0"]),
        ])
    func visits(_ drawing: String, _ expected: [String]) {
        var script = Script()
        #expect(script.visits(Script.scans(drawing)) == expected)
    }

    @Test(
        "Time alone ends the visits of a silent device, and not before their deadline"
    )
    func silence() throws {
        var script = Script()
        _ = script.visits(Script.scans("AAA"))
        // The deadline has ten minutes of silence, five for late scans, and one for the way; the
        // last scan is at 10 s.
        let early = script.devices.endVisits(at: Script.moment(970), by: Script.rules)
        #expect(early.isEmpty && script.devices.isVisited)
        let ended = script.devices.endVisits(at: Script.moment(981), by: Script.rules)
        #expect(ended.map(\.key) == [Self.key])
        #expect(
            ended.flatMap(\.visits).map(Script.word) == [
                "house ends 10 silent", "A ends 10 silent",
            ])
        #expect(ended.allSatisfy { $0.change.visits && !$0.change.memory })
        #expect(!script.devices.isVisited)
        #expect(script.devices.endVisits(at: Script.moment(2_000), by: Script.rules).isEmpty)
    }

    @Test("A device is removed after a day without a scan, and not earlier")
    func idle() {
        var script = Script()
        _ = script.positions(Script.scans("A"))
        let day = Int(SeenScans.keptSeconds)
        _ = script.positions(Script.scans("A", of: "e", from: 1_000))
        #expect(script.devices.forgetIdle(at: Script.moment(day)).isEmpty)
        let idle = script.devices.forgetIdle(at: Script.moment(day + 601))
        #expect(idle.map(\.key) == [Self.key])
        #expect(idle.first?.device.memory.entries.count == 1)
        #expect(script.devices.devices.keys.map(\.device) == [DeviceID("e")])
    }
}
