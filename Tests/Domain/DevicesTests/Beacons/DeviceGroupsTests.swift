import Devices
import Events
import SampleSites
import SeededRandomness
import Testing

@Suite struct DeviceGroupsTests {
    private static let silence = Duration.seconds(10)
    private static let floor = FloorID("ground")

    private static func seconds(_ seconds: Int) -> Timestamp {
        Timestamp(microseconds: 1_700_000_000_000_000 + Int64(seconds) * 1_000_000)
    }

    private static func heard(_ groups: some Sequence<Int>) -> [DeviceGroups.Heard] {
        groups.map { DeviceGroups.Heard(group: BeaconGroupID("g\($0)"), floor: floor) }
    }

    /// A stay in a group; `left` is nil while it lasts.
    private struct Known: Hashable {
        var entered: Timestamp
        var left: Timestamp?
    }

    /// The stays in one group, from the complete list of scans at once.
    private static func obvious(_ scans: [(at: Timestamp, isHeard: Bool)]) -> [Known] {
        var stays: [(entered: Timestamp, last: Timestamp)] = []
        for (number, scan) in scans.enumerated() where scan.isHeard {
            if let last = stays.last?.last, scan.at - last <= 60_000_000,
                // The stay still lasts: each scan since came in time.
                scans[..<number].allSatisfy({ $0.at - last <= 10_000_000 })
            {
                stays[stays.count - 1].last = scan.at
            } else {
                stays.append((scan.at, scan.at))
            }
        }
        return stays.enumerated().map { number, stay in
            let end = scans.last?.at ?? stay.last
            let isOver = number < stays.count - 1 || end - stay.last > 10_000_000
            return Known(entered: stay.entered, left: isOver ? stay.last : nil)
        }
    }

    @Test(
        "Random scans give the same stays as a slow, obvious version",
        arguments: 0..<40 as Range<UInt64>)
    func likeTheObvious(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var device = DeviceGroups()
        var found: [BeaconGroupID: [Known]] = [:]
        var scans: [Int: [(at: Timestamp, isHeard: Bool)]] = [:]
        var at = 0
        for _ in 0..<300 {
            // Now and then there are two scans of one moment, or a long silence.
            let isLong = Int.random(in: 0..<10, using: &random) == 0
            at += Int.random(in: isLong ? 15...90 : 0...10, using: &random)
            let heard = (0..<4).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            for group in 0..<4 {
                scans[group, default: []].append((Self.seconds(at), heard.contains(group)))
            }
            let changes = device.evolve(
                at: Self.seconds(at), Self.heard(heard), silence: Self.silence)
            for change in changes {
                switch change {
                case .entered(let stay):
                    found[stay.group, default: []].append(Known(entered: stay.entered))
                case .left(let stay):
                    let last = (found[stay.group]?.count ?? 0) - 1
                    #expect(found[stay.group]?[last].entered == stay.entered)
                    found[stay.group]?[last].left = stay.lastHeard
                }
            }
        }
        for group in 0..<4 {
            let expected = Self.obvious(scans[group] ?? [])
            #expect(found[BeaconGroupID("g\(group)")] ?? [] == expected, "group \(group)")
        }
    }

    @Test("The next scan and the clock end a stay with the same event, and the clock not earlier")
    func deadline() {
        var byScan = DeviceGroups()
        _ = byScan.evolve(at: Self.seconds(0), Self.heard([1]), silence: Self.silence)
        var byClock = byScan
        func leave(_ second: Int) -> [DeviceGroups.Change] {
            byClock.leave(
                timePassedTo: Self.seconds(second), silence: Self.silence,
                lateAfter: .seconds(300))
        }
        #expect(leave(420).isEmpty)
        let left = leave(421)
        #expect(left.count == 1)
        #expect(byScan.evolve(at: Self.seconds(11), [], silence: Self.silence) == left)
        #expect(byScan == DeviceGroups() && byClock == DeviceGroups())
    }

    @Test("A scan that receives a group again prolongs the stay over a minute without scans")
    func pause() {
        var device = DeviceGroups()
        func changes(_ second: Int, _ silence: Duration) -> Int {
            device.evolve(at: Self.seconds(second), Self.heard([1]), silence: silence).count
        }
        let found = [0, 30, 90, 151].map { changes($0, Self.silence) }
        #expect(found == [1, 0, 0, 2])
        // A longer silence of the operator holds for these scans, too.
        #expect(changes(241, .seconds(90)) == 0)
    }

    @Test("A device enters the strongest eight groups, and no other one until it leaves some")
    func limit() {
        var device = DeviceGroups()
        let many = Self.heard((0..<50).reversed())
        let strongest = many.prefix(DeviceGroups.maximumStays).map(\.group)
        for second in [0, 5, 10] {
            let changes = device.evolve(at: Self.seconds(second), many, silence: Self.silence)
            #expect(changes.count == (second == 0 ? DeviceGroups.maximumStays : 0))
            #expect(device.stays.map(\.group) == strongest)
        }
        let later = device.evolve(at: Self.seconds(30), Self.heard([1]), silence: Self.silence)
        #expect(later.count == DeviceGroups.maximumStays + 1)
        #expect(device.stays.map(\.group) == [BeaconGroupID("g1")])
    }
}

/// Scans are drawn as in `Script`: one character for every five seconds.
@Suite("A device among beacons in groups") struct GroupedDeviceTests {
    private static func groups(_ lines: [String]) -> [String] {
        lines.filter { !$0.contains("starts") && !$0.contains("ends") }
    }

    @Test(
        "It enters a group with the first beacon, and leaves with a scan ten seconds later",
        arguments: [
            ("A", ["hall entered 0"]),
            // The beacon upstairs is of the same group, and that of the corridor of none.
            ("ADDD", ["hall entered 0"]),
            ("A.A", ["hall entered 0"]),
            // A minute without scans shows nothing, but a scan without the group does.
            ("A...........A", ["hall entered 0"]),
            ("A............A", ["hall entered 0", "hall left 0", "hall entered 65"]),
            ("A..CA", ["hall entered 0", "hall left 0", "hall entered 20"]),
            ("ABBB", ["hall entered 0", "shop entered 5", "hall left 0"]),
            ("ACCC", ["hall entered 0", "hall left 0"]),
            ("A???", ["hall entered 0", "hall left 0"]),
            // Late scans change nothing, and so do disabled beacons.
            ("Abbbb", ["hall entered 0"]), ("EEE", []),
        ])
    func drawn(_ drawing: String, _ expected: [String]) {
        var script = Script()
        script.site = Script.site(index: Script.grouped)
        #expect(Self.groups(script.visits(Script.scans(drawing))) == expected)
    }

    @Test("Without groups at its site nothing is stored of it")
    func none() {
        var script = Script()
        let (decision, change) = script.devices.decide(
            Script.scan(0, "A", of: "d"), in: script.site, by: Script.rules,
            locatedAt: Script.moment(0), scratch: &script.scratch)
        #expect(change?.groups == false)
        guard case .located(let located) = decision else {
            Issue.record("the scan is not located")
            return
        }
        #expect(located.visits.isEmpty)
    }

    @Test("The event has the floor of the beacon that was received best")
    func floor() {
        var script = Script()
        script.site = Script.site(index: Script.grouped)
        var scan = Script.scan(0, "A", of: "d")
        scan.ble.append(Script.beacon("D", rssi: -40))
        guard case .located(let located) = script.decide(scan),
            case .entered(let event)? = located.visits.first
        else {
            Issue.record("the device entered no group")
            return
        }
        #expect(event.floor == SampleSite.first && located.visits.count == 1)
    }

    @Test("The group that was received best is entered first", arguments: [-40, -90])
    func strongest(rssi: Int) {
        var script = Script()
        script.site = Script.site(index: Script.grouped)
        var scan = Script.scan(0, "A", of: "d")
        scan.ble.append(Script.beacon("B", rssi: rssi))
        let both = ["hall entered 0", "shop entered 0"]
        #expect(Self.groups(script.visits([scan])) == (rssi > -60 ? both.reversed() : both))
    }

    @Test("Time alone ends the stay of a silent device, and not before its deadline")
    func silence() {
        var script = Script()
        script.site = Script.site(index: Script.grouped)
        _ = script.visits(Script.scans("A"))
        // One minute without scans, five minutes for late scans, and one for the way.
        let early = script.devices.endVisits(at: Script.moment(420), by: Script.rules)
        #expect(early.isEmpty)
        let ended = script.devices.endVisits(at: Script.moment(431), by: Script.rules)
        #expect(ended.flatMap(\.visits).map(Script.word) == ["hall left 0"])
        #expect(ended.allSatisfy { $0.change.groups && !$0.change.visits })
        // The stay in the room may still become a visit.
        #expect(script.devices.isVisited)
        _ = script.devices.endVisits(at: Script.moment(1_000), by: Script.rules)
        #expect(!script.devices.isVisited)
    }
}
