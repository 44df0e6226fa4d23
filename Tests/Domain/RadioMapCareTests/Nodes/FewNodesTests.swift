import Events
import Site
import Testing

@testable import RadioMapCare

@Suite("Deaf nodes where few hear each other") struct FewNodesTests {
    private static let hour = 500_000

    private static func deaf(_ row: NodeRow, _ tally: NodeTally) -> [String] {
        let findings = NodeCalibrator.findings(
            tally.hearings, of: NodeRow.site, row.published, before: nil,
            at: NodeRow.time(hour: hour))
        return (findings.calibration?.nodes ?? []).filter { $0.state == .deaf }
            .map(\.scanner.text)
    }

    /// The nodes that are still deaf of those that were deaf since this hour.
    private static func since(
        _ row: NodeRow, _ tally: NodeTally, before: NodesCalibrated
    ) -> [String] {
        NodeDeafness(
            tally.hearings, NodeLinks(row.published.index), before: before,
            at: NodeRow.time(hour: hour)
        ).since.keys.map(\.text).sorted()
    }

    @Test("Of three nodes, the one that hears nothing any more is deaf")
    func three() throws {
        let row = try NodeRow(["a", "b", "c"])
        var tally = NodeTally()
        row.count(NodeRow.all(["a", "b", "c"]), in: Self.hour - 12...Self.hour - 2, &tally)
        #expect(Self.deaf(row, tally).isEmpty)
        row.count(
            ["a": ["b"], "b": ["a"], "c": ["a", "b"]], in: Self.hour - 1...Self.hour, &tally)
        #expect(Self.deaf(row, tally) == ["c"])
    }

    @Test("A node that hears what nobody else does makes none of the others deaf")
    func forged() throws {
        let row = try NodeRow(["a", "b", "c", "d"])
        var tally = NodeTally()
        row.count(NodeRow.all(["a", "b", "c", "d"]), in: Self.hour - 12...Self.hour, &tally)
        row.count(
            ["a": ["d"], "b": ["d"]], in: Self.hour - 1...Self.hour, times: 600, &tally)
        #expect(Self.deaf(row, tally).isEmpty)
    }

    @Test("A new node makes no weak one deaf, but one that hears nothing any more is found")
    func joined() throws {
        let row = try NodeRow(["s", "t", "b", "c", "new"])
        func tally(share: Int, now: Int) -> NodeTally {
            var tally = NodeTally()
            func count(_ nodes: [String], _ hours: ClosedRange<Int>, _ times: Int) {
                row.count(["s": nodes, "t": nodes], in: hours, times: times, &tally)
            }
            // Only b and c are there, and b hears all of 60.
            count(["b", "c"], Self.hour - 12...Self.hour - 2, share)
            count(["b"], Self.hour - 12...Self.hour - 2, 60 - share)
            count(["b", "c", "new"], Self.hour - 1...Self.hour, now)
            count(["b", "new"], Self.hour - 1...Self.hour, 60 - now)
            return tally
        }
        #expect(Self.deaf(row, tally(share: 15, now: 15)).isEmpty)
        #expect(Self.deaf(row, tally(share: 50, now: 50)).isEmpty)
        #expect(Self.deaf(row, tally(share: 50, now: 5)) == ["c"])
    }

    @Test("One alone makes none deaf that never heard the sender")
    func strange() throws {
        let row = try NodeRow(["a", "b", "c"])
        var tally = NodeTally()
        row.count(["a": ["b"], "b": ["a"]], in: Self.hour - 12...Self.hour, &tally)
        row.count(["a": ["c"], "b": ["c"]], in: Self.hour - 12...Self.hour - 12, times: 1, &tally)
        #expect(Self.deaf(row, tally).isEmpty)
    }

    @Test("A deaf node is back once nobody around it was heard, and not before")
    func alone() throws {
        let before = NodeRow.deaf(["c"], sinceHour: Self.hour - 300)
        let three = try NodeRow(["a", "b", "c"])
        var tally = NodeTally()
        three.count(["a": ["b"], "b": ["a"]], in: Self.hour - 100...Self.hour - 50, &tally)
        #expect(Self.since(three, tally, before: before) == ["c"])
        #expect(Self.since(three, NodeTally(), before: before).isEmpty)
        // It sends itself, which says nothing about what it hears.
        let two = try NodeRow(["a", "c"])
        var own = NodeTally()
        two.count(["c": ["a"]], in: Self.hour - 1...Self.hour, &own)
        #expect(Self.since(two, own, before: before).isEmpty)
    }

    @Test("Where only one other node is left, a deaf one is back once it hears that")
    func one() throws {
        let row = try NodeRow(["a", "c"])
        for since in [Self.hour - 300, Self.hour - 20] {
            let before = NodeRow.deaf(["c"], sinceHour: since)
            var tally = NodeTally()
            row.count(["a": ["c"], "c": ["a"]], in: Self.hour - 40...Self.hour - 21, &tally)
            #expect(Self.since(row, tally, before: before) == ["c"])
            row.count(["a": ["c"], "c": ["a"]], in: Self.hour - 1...Self.hour, &tally)
            #expect(Self.since(row, tally, before: before).isEmpty)
        }
    }
}
