import Devices
import Events
import Positioning
import SampleSites
import Testing

@Suite struct DeviceTests {
    @Test("Each scan gives one position, and the positioner remembers the scans before it")
    func positions() {
        var script = Script()
        #expect(script.positions(Script.scans("AAB?.D")) == "A1 A2 B3 ? D5")
        // Another device of the site has a memory of its own.
        #expect(script.positions(Script.scans("AA", of: "e")) == "A1 A2")
    }

    @Test("A repeated scan gives no position, and one with other content is a conflict")
    func again() {
        var script = Script()
        #expect(script.positions(Script.scans("AA<B")) == "A1 A2 - B3")
        let before = script.devices.devices
        #expect(script.positions([Script.scan(0, "A", of: "d")]) == "-")
        #expect(script.positions([Script.scan(0, "B", of: "d")]) == "!")
        #expect(script.devices.devices == before)
    }

    @Test("A late scan is located with the stored state and does not change it")
    func late() {
        var script = Script()
        #expect(script.positions(Script.scans("AAaAB")) == "A1 A2 A3late A3 B4")
    }

    @Test("A scan older than the newest, but not late, does not change the state either")
    func older() {
        var script = Script()
        let scans = Script.scans("AAAAA")
        let order = [0, 1, 4, 2, 3].map { scans[$0] } + Script.scans("B", from: 5)
        #expect(script.positions(order) == "A1 A2 A3 A4 A4 B4")
    }

    @Test("A scan that is put back counts as late, whatever its time")
    func putBack() {
        var script = Script()
        _ = script.positions(Script.scans("AA"))
        #expect(script.positions(Script.scans("B", from: 2), isPutBack: true) == "B3late")
        #expect(script.positions(Script.scans("A", from: 3)) == "A3")
        #expect(script.devices[Self.key]?.visits.stays.map(\.zone.id.text) == ["house", "A"])
    }

    private static let key = DeviceKey(SampleSite.id, DeviceID("d"))

    @Test("Each positioner has its own memory, and the first one's position is served")
    func beside() throws {
        var script = Script()
        script.site = Script.site([RoomCounter(), RoomCounter(name: "beside")])
        _ = script.positions(Script.scans("AA"))
        // The served positioner is replaced: the new one starts again, and the one beside it goes
        // on.
        script.site = Script.site([RoomCounter(name: "new"), RoomCounter(name: "beside")])
        guard case .located(let located) = script.decide(Script.scan(2, "B", of: "d")) else {
            Issue.record("not located")
            return
        }
        #expect(located.answers.map(\.position.positioner) == ["new", "beside"])
        #expect(located.answers.map { Script.word($0.position) } == ["B1", "B3"])
        #expect(
            located.served?.id == Script.digests.position(located.answers[0].position.scan, "new"))
        let memory = try #require(script.devices[Self.key]?.memory)
        #expect(Set(memory.entries.keys) == ["new", "beside"])
    }

    @Test("Another radio map, site or positioner starts again; the same ones do not")
    func afresh() {
        var script = Script()
        var next = 0
        func two(_ site: SiteKnowledge) -> String {
            script.site = site
            defer { next += 2 }
            return script.positions(Script.scans("AA", from: next))
        }
        #expect(two(Script.site()) == "A1 A2")
        #expect(two(Script.site()) == "A3 A4")
        #expect(two(Script.site(map: "other")) == "A1 A2")
        #expect(two(Script.site(map: "other", siteVersion: 2)) == "A1 A2")
        #expect(two(Script.site([RoomCounter(name: "other")])) == "A1 A2")
    }

    @Test("A state that is too large is removed and reported")
    func tooLarge() {
        var script = Script()
        script.site = Script.site([RoomCounter(padding: PositionerMemory.maximumStateBytes)])
        guard case .located(let located) = script.decide(Script.scan(0, "A", of: "d")) else {
            Issue.record("not located")
            return
        }
        #expect(located.tooLarge.map(\.positioner) == ["counter"])
        #expect(located.tooLarge.map(\.byteCount) == [PositionerMemory.maximumStateBytes + 1])
        #expect(script.positions(Script.scans("A", from: 1)) == "A1")
        #expect(script.devices[Self.key]?.memory.entries.isEmpty == true)
    }

    @Test("Without a radio map a device is lost, and its states stay")
    func withoutMap() {
        var script = Script()
        _ = script.positions(Script.scans("AA"))
        let sources = SiteSources(SampleSite.id)
        let working = WorkingPositioner(positioner: RoomCounter(), option: "counter")
        script.site = SiteKnowledge(
            withoutMap: sources, positioners: [working], lostBecause: .mapMissing)
        guard case .located(let located) = script.decide(Script.scan(2, "A", of: "d")) else {
            Issue.record("not located")
            return
        }
        #expect(located.served?.state == .lost && located.served?.lostBecause == .mapMissing)
        #expect(located.served?.siteVersion == 0 && located.served?.radioMapVersion == nil)
        script.site = Script.site()
        #expect(script.positions(Script.scans("A", from: 3)) == "A3")
    }

    @Test("A position carries the motion since the scan before")
    func motion() {
        var script = Script()
        var scans = Script.scans("AA")
        // Nine steps in five seconds are walking.
        scans[1].steps = 9
        _ = script.positions([scans[0]])
        guard case .located(let located) = script.decide(scans[1]) else {
            Issue.record("not located")
            return
        }
        #expect(located.served?.motion == MotionPeriod(stepsPerMinute: 108))
    }

    @Test("A single question has the position of the first scan of a device, and no memory")
    func question() {
        let scan = Script.scan(0, "B", of: "d")
        var scratch = DeviceScratch()
        for scan in [scan, Script.scan(0, "b", of: "d"), Script.scan(0, "?", of: "d")] {
            let position = Device.position(
                ofOne: scan, in: Script.site(), by: Script.rules, locatedAt: Script.moment(0),
                scratch: &scratch)
            var script = Script()
            guard case .located(let first) = script.decide(scan) else {
                Issue.record("not located")
                continue
            }
            #expect(position == first.served)
        }
    }
}
