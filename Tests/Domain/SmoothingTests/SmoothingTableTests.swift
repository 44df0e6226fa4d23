import Events
import SeededRandomness
import Smoothing
import Testing

@Suite("Positions that wait to be smoothed") struct SmoothingTableTests {
    private struct Step {
        var position: PositionEstimated
        var appended: Timestamp
    }

    /// A partition with its stored state.
    private struct Bench {
        var table: SmoothingTable
        var given: [PositionEstimated] = []
        var stored: [SmoothingPlace: SmoothingEntry] = [:]

        init(_ rules: SmoothingRules = SmoothingRules()) { table = SmoothingTable(rules) }

        var ids: [UInt64] { given.map(\.id.low) }

        mutating func pass(to seconds: Double) { given += table.pass(to: Sample.moment(seconds)) }

        /// Lets time pass without records.
        mutating func wait(_ seconds: Int64) { given += table.pass(for: seconds * 1_000_000) }

        mutating func add(_ step: Step) {
            given += table.pass(to: step.appended)
            given += table.add(step.position, appendedAt: step.appended)
        }

        mutating func add(
            _ number: Int, at seconds: Double, appended: Double? = nil, device: String = "d"
        ) {
            add(
                Step(
                    position: Sample.position(
                        number, at: seconds, x: Double(number), device: device),
                    appended: Sample.moment(appended ?? seconds)))
        }

        mutating func store() {
            for (place, entry) in table.removeChanges() { stored[place] = entry }
        }

        /// Goes on as another process does.
        mutating func restart() {
            store()
            table = SmoothingTable(table.rules)
            for (place, entry) in stored { table.restore(entry, at: place) }
        }
    }

    @Test("are given out when one is newer by the lag, or after it and the allowance by the log")
    func due() {
        var bench = Bench()
        bench.add(1, at: 0)
        bench.add(2, at: 14.9)
        #expect(bench.ids.isEmpty)
        bench.add(3, at: 15)
        #expect(bench.ids == [1])
        bench.pass(to: 34.8)
        #expect(bench.ids == [1])
        bench.pass(to: 35)
        #expect(bench.ids == [1, 2, 3])
        bench.pass(to: 135)
        bench.store()
        #expect(bench.stored.isEmpty)
    }

    @Test("are given out and forgotten in a silence too, and a restart begins it again")
    func silence() {
        var bench = Bench()
        bench.add(1, at: 0)
        for _ in 0..<19 { bench.wait(1) }
        bench.restart()
        bench.wait(19)
        #expect(bench.ids.isEmpty)
        bench.wait(1)
        #expect(bench.ids == [1])
        bench.wait(99)
        bench.store()
        #expect(bench.stored.count == 1)
        bench.wait(1)
        bench.store()
        #expect(bench.stored.isEmpty)
        bench.wait(3_600)
        // This one was appended an hour ago, and comes only now.
        bench.add(2, at: 1)
        #expect(bench.ids == [1])
        bench.wait(20)
        #expect(bench.ids == [1, 2])
    }

    @Test("include a late one, which is smoothed by what is left of the window")
    func late() {
        var bench = Bench()
        for number in 0..<10 { bench.add(number + 1, at: Double(number) * 5) }
        #expect(bench.ids == [1, 2, 3, 4, 5, 6, 7])
        bench.add(20, at: 2, appended: 46)
        #expect(bench.ids.last == 20)
        #expect(bench.given.last?.x == 20, "nothing of its time is left")
        bench.add(10, at: 45, appended: 47)
        bench.add(21, at: 28, appended: 47)
        #expect(bench.ids.suffix(2) == [20, 21], "the same position is not given twice")
        #expect(bench.given.last?.x != 21)
    }

    @Test("wait as ever beside one of a clock that is an hour ahead")
    func future() {
        var bench = Bench()
        bench.add(1, at: 0)
        bench.add(2, at: 3_602, appended: 2)
        bench.add(3, at: 4)
        #expect(bench.ids.isEmpty)
        bench.pass(to: 24)
        #expect(bench.ids == [1, 2, 3])
        #expect(bench.given.map(\.x).first.map { ($0 ?? 1) > 1 } == true, "3 was its neighbour")
    }

    @Test("are as many as a limit, and so are devices: the oldest are given out first")
    func limits() {
        var bench = Bench(SmoothingRules(positions: 3, devices: 2))
        for number in 1...4 { bench.add(number, at: Double(number)) }
        #expect(bench.ids == [1])
        bench.add(10, at: 5, device: "e")
        bench.add(11, at: 6, device: "f")
        #expect(bench.ids == [1, 2, 3, 4])
        bench.restart()
        #expect(Set(bench.stored.keys.map(\.device.device.text)) == ["e", "f"])
    }

    @Test("go with their device when it is erased")
    func erased() {
        var bench = Bench()
        bench.add(1, at: 0)
        bench.add(2, at: 0, device: "e")
        bench.store()
        bench.table.erase(Sample.key("d"))
        bench.store()
        bench.pass(to: 60)
        #expect(bench.ids == [2] && bench.stored.keys.allSatisfy { $0.device.device.text == "e" })
    }

    @Test("are given out when the log's clock is set back by minutes, and wait as ever after it")
    func setBack() {
        var bench = Bench()
        bench.add(1, at: 0, appended: 3_600)
        bench.add(2, at: 1)
        #expect(bench.ids == [1])
        bench.pass(to: 21)
        #expect(bench.ids == [1, 2])
    }

    @Test("are given out once and the same, wherever the work was interrupted", arguments: 0..<20)
    func restarts(seed: Int) {
        var random = SeededRandom(seed: seed)
        let steps = (1...150).map { number in
            // Some come late, and some devices fall silent.
            let appended = Double(number) * 0.7
            return Step(
                position: Sample.position(
                    number,
                    at: appended - Double.random(in: 0..<30, using: &random)
                        * (Bool.random(using: &random) ? 1 : 0),
                    x: .random(in: 0..<90, using: &random),
                    device: "d\(Int.random(in: 0..<4, using: &random))"),
                appended: Sample.moment(appended))
        }
        var whole = Bench()
        for step in steps { whole.add(step) }
        whole.pass(to: 400)
        var broken = Bench()
        for step in steps {
            broken.add(step)
            if Int.random(in: 0..<8, using: &random) == 0 { broken.restart() }
        }
        broken.pass(to: 400)
        broken.restart()
        #expect(broken.given == whole.given)
        #expect(whole.given.count == 150 && Set(whole.ids).count == 150)
        #expect(broken.stored.isEmpty)
    }
}
