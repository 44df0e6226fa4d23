import Events
import SeededRandomness
import Sightings
import Testing

@Suite("Joining what nodes heard") struct SightingJoinTests {
    private typealias Bench = JoinBench

    @Test("Reports of one window become one scan, the strongest node first")
    func oneWindow() throws {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1, rssi: -70))
        bench.add(Bench.report("tag", by: "b", at: 0.5, rssi: -50))
        bench.add(Bench.report("tag", by: "a", at: 1.9, rssi: -65))
        bench.add(Bench.report("tag", by: "a", at: 2.0, rssi: -40))
        bench.pass(to: 2.999)
        #expect(bench.closed.isEmpty)
        bench.pass(to: 3)
        #expect(bench.closed.map(\.line) == ["0 tag: b-50 a-65"])
        let scan = try #require(bench.closed.first).scan(id: EventID(high: 3, low: 4))
        #expect(scan.at == Bench.moment(1.9))
        #expect(scan.receivedAt == Bench.moment(1.9))
        #expect(scan.scanner.text == "tag")
        #expect(scan.heardBy.map(\.rssi) == [-50, -65])
        bench.pass(to: 5)
        #expect(bench.closed.map(\.line) == ["0 tag: b-50 a-65", "2 tag: a-40"])
        #expect(bench.drops.isEmpty)
    }

    @Test("A measured distance stays with the strongest report of its node")
    func distances() {
        let far = MeasuredDistance(metres: 9, deviation: 2)
        let near = MeasuredDistance(metres: 4, deviation: 1)
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1, rssi: -70, distance: far))
        bench.add(Bench.report("tag", by: "a", at: 0.2, rssi: -60, distance: near))
        bench.add(Bench.report("tag", by: "b", at: 0.3, rssi: -60))
        bench.add(Bench.report("tag", by: "b", at: 0.4, rssi: -60, distance: far))
        bench.pass(to: 3)
        #expect(bench.closed.first?.window.readings.map(\.distance) == [near, far])
    }

    @Test("A report that comes after its window was closed is dropped, and no second scan is made")
    func late() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1))
        bench.add(Bench.report("tag", by: "b", at: 0.2, appended: 2.999))
        bench.add(Bench.report("tag", by: "c", at: 0.3, appended: 3))
        #expect(bench.closed.map(\.line) == ["0 tag: a-60 b-60"])
        #expect(bench.drops == [.late])
        bench.pass(to: 10)
        #expect(bench.closed.count == 1)
    }

    @Test("Reports that all come a minute later are joined, too")
    func collected() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1, appended: 60))
        bench.add(Bench.report("tag", by: "a", at: 4.1, appended: 60.1))
        bench.add(Bench.report("tag", by: "b", at: 0.2, appended: 60.2))
        bench.pass(to: 62.999)
        #expect(bench.closed.isEmpty)
        bench.pass(to: 63)
        #expect(bench.closed.map(\.line) == ["0 tag: a-60 b-60", "4 tag: a-60"])
        #expect(bench.drops.isEmpty)
    }

    @Test("Reports that are older than 256 seconds, or a minute ahead, are dropped")
    func wrongTimes() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 1, appended: 258))
        bench.add(Bench.report("tag", by: "a", at: 2, appended: 258))
        bench.add(Bench.report("tag", by: "a", at: 319.9, appended: 258))
        bench.add(Bench.report("tag", by: "a", at: 320, appended: 258))
        #expect(bench.drops == [.late, .ahead])
    }

    @Test(
        "However long windows are, reports of 256 seconds ago and of a minute ahead are joined",
        arguments: [0.25, 1, 7, 60])
    func anyLength(seconds: Double) {
        let rules = SightingRules(
            windowMicroseconds: Int64(seconds * 1_000_000), graceMicroseconds: 0)
        var bench = Bench(rules)
        for step in 0...632 {
            let at = Double(step) / 2
            bench.add(Bench.report("tag", by: "a", at: at, appended: 256))
        }
        #expect(bench.drops.isEmpty)
        bench.pass(to: 400)
        let closed = bench.closed.count
        #expect(Set(bench.closed.map(\.start)).count == closed)
        // All of them stay known as closed.
        bench.restart()
        for step in 300...632 {
            bench.add(Bench.report("tag", by: "a", at: Double(step) / 2, appended: 400))
        }
        #expect(bench.drops.count == 333 && bench.drops.allSatisfy { $0 == .late })
    }

    @Test("The log's time does not go back with a clock of seconds")
    func clockSetBack() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1))
        bench.pass(to: 3)
        bench.restart()
        bench.add(Bench.report("tag", by: "b", at: 0.2, appended: 1))
        #expect(bench.drops == [.late])
        #expect(bench.closed.count == 1)
    }

    @Test("Where the log's clock was wrong by hours, what comes after it was set back is joined")
    func clockOfHours() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1))
        bench.add(Bench.report("other", by: "a", at: 7_200, appended: 7_200))
        bench.restart()
        bench.add(Bench.report("tag", by: "a", at: 20.1))
        bench.restart()
        bench.pass(to: 30)
        #expect(bench.drops.isEmpty)
        #expect(bench.closed.map(\.line) == ["0 tag: a-60", "7200 other: a-60", "20 tag: a-60"])
    }

    @Test("Windows that close as the log's clock is set back stay known as closed")
    func closedBySetBack() {
        var bench = Bench()
        // The log's clock is more than three minutes ahead, and then right.
        bench.add(Bench.report("tag", by: "a", at: 0.1, appended: 200))
        bench.add(Bench.report("tag", by: "b", at: 0.2, appended: 0.3))
        bench.restart()
        bench.add(Bench.report("tag", by: "c", at: 0.4))
        bench.add(Bench.report("tag", by: "c", at: 2.1))
        bench.pass(to: 10)
        #expect(bench.drops == [.late, .late])
        #expect(bench.closed.map(\.line) == ["0 tag: a-60", "2 tag: c-60"])
        bench.pass(to: 260)
        bench.store()
        #expect(bench.stored.isEmpty && bench.nextWork == nil)
    }

    @Test("A window waits no longer by this machine's clock, whatever the log's says")
    func logAhead() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 7_200, appended: 7_200))
        bench.store()
        #expect(bench.nextWork == Bench.moment(7_203))
        // A report may be 60 s ahead, its window ends 2 s later, and then there is the grace.
        #expect(bench.join.nextWork(at: Bench.moment(0)) == Bench.moment(63))
    }

    @Test("A device has 6,000 readings in open windows at most, less than a record of its state")
    func readingsOfDevice() {
        var bench = Bench(SightingRules(windowMicroseconds: 250_000, graceMicroseconds: 2_000_000))
        for number in 0..<6_100 {
            let window = Double(number % 500) / 4 - 200
            bench.add(Bench.report("tag", by: "n\(number / 500)", at: window, appended: 0))
        }
        #expect(bench.drops == [SightingJoin.Drop](repeating: .windows, count: 100))
    }

    @Test("The strongest nodes of a window stay, in whatever order they come", arguments: 0..<20)
    func tooManyNodes(seed: Int) {
        var random = SeededRandom(seed: seed)
        let reports = (0..<8).map { Bench.report("tag", by: "n\($0)", at: 0.1, rssi: -40 - $0) }
        var bench = Bench()
        for report in (reports + reports).shuffled(using: &random) { bench.add(report) }
        bench.pass(to: 3)
        #expect(bench.closed.map(\.line) == ["0 tag: n0-40 n1-41 n2-42"])
        #expect(bench.drops.allSatisfy { $0 == .nodes } && bench.drops.count >= 5)
    }

    @Test("At the limits of windows and of devices more reports are dropped")
    func limits() {
        var bench = Bench()
        for number in 0..<5 { bench.add(Bench.report("d\(number)", by: "a", at: 0.1)) }
        #expect(bench.drops == [.windows])
        // The windows are closed, but four devices are still remembered.
        for number in 4..<6 { bench.add(Bench.report("d\(number)", by: "a", at: 4)) }
        #expect(bench.drops == [.windows, .devices])
        // An open window takes more reports.
        bench.add(Bench.report("d4", by: "b", at: 4.1))
        #expect(bench.drops.count == 2)
    }

    @Test("One site can't fill the limits so far that others get nothing")
    func shares() {
        let other = SiteID("other")
        var bench = Bench()
        for number in 0..<5 { bench.add(Bench.report("d\(number)", by: "a", at: 0.1)) }
        #expect(bench.drops == [.windows])
        bench.restart()
        bench.add(Bench.report("d0", by: "a", at: 0.1, site: other))
        #expect(bench.drops == [.windows])
        bench.add(Bench.report("d1", by: "a", at: 0.1, site: other))
        #expect(bench.drops == [.windows, .windows])
        // The crowded site's are over: there is room again.
        bench.pass(to: 3)
        bench.add(Bench.report("d0", by: "a", at: 4, site: other))
        #expect(bench.drops.count == 2)
    }

    @Test("A device is forgotten 129 windows after its last scan, and then nothing is due")
    func forgetting() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1))
        bench.add(Bench.report("tag", by: "a", at: 10.1))
        bench.restart()
        #expect(bench.nextWork == Bench.moment(13))
        bench.pass(to: 13)
        bench.store()
        #expect(bench.stored.count == 1)
        #expect(bench.nextWork == Bench.moment(268))
        bench.pass(to: 267.9)
        bench.store()
        #expect(bench.stored.count == 1)
        bench.pass(to: 268)
        #expect(bench.nextWork == Bench.moment(268), "its tombstone has to be written")
        bench.store()
        #expect(bench.stored.isEmpty)
        #expect(bench.nextWork == nil)
    }

    @Test("A device with one old window and an open one is forgotten after that one")
    func forgettingLater() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1))
        bench.pass(to: 3)
        // This window is open when the first could be forgotten.
        bench.add(Bench.report("tag", by: "a", at: 2.1, appended: 257))
        bench.pass(to: 258)
        bench.store()
        #expect(bench.stored.count == 1)
        bench.pass(to: 260)
        #expect(bench.closed.map(\.line) == ["0 tag: a-60", "2 tag: a-60"])
        bench.store()
        #expect(bench.stored.isEmpty)
        #expect(bench.nextWork == nil)
    }

    @Test("An erased device leaves nothing, and what comes later begins anew")
    func erasing() {
        var bench = Bench()
        bench.add(Bench.report("tag", by: "a", at: 0.1))
        bench.add(Bench.report("other", by: "a", at: 0.1))
        bench.store()
        bench.join.erase(DeviceKey(Bench.site, DeviceID("tag")))
        bench.add(Bench.report("tag", by: "b", at: 1))
        bench.store()
        bench.restart()
        bench.pass(to: 3)
        #expect(bench.closed.map(\.line) == ["0 other: a-60", "0 tag: b-60"])
    }

    @Test("What can't be used of the state gets a tombstone")
    func unusableState() {
        var bench = Bench()
        let key = DeviceKey(Bench.site, DeviceID("tag"))
        bench.join.restoreNothing(of: key)
        bench.pass(to: 0)
        #expect(bench.nextWork == Bench.moment(0))
        let changes = bench.join.removeChanges()
        #expect(changes.map(\.key) == [key])
        #expect(changes.allSatisfy { $0.heard == nil })
    }
}
