import Events
import SeededRandomness
import Sightings
import Testing

@Suite("Joining what nodes heard, against a slow way") struct SightingJoinPropertyTests {
    private static let rules = SightingRules(
        windowMicroseconds: 2_000_000, graceMicroseconds: 700_000, nodes: 4)

    /// Reports of some devices and nodes in the order of their appends. Some come at once, some a
    /// minute later, some far too late.
    private func reports(_ random: inout SeededRandom) -> [JoinBench.Report] {
        var reports: [JoinBench.Report] = []
        for _ in 0..<400 {
            let at = Double(Int.random(in: 0..<60_000, using: &random)) / 1_000
            let delays = [0.01, 0.2, 2, 5, 60, 500]
            let delay = delays[Int.random(in: 0..<delays.count, using: &random)]
            reports.append(
                JoinBench.report(
                    "d\(Int.random(in: 0..<4, using: &random))",
                    by: "n\(Int.random(in: 0..<6, using: &random))", at: at,
                    rssi: -Int.random(in: 40..<90, using: &random), appended: at + delay))
        }
        return reports.sorted { $0.appended < $1.appended }
    }

    /// Looks at all reports for each window by itself.
    private func slowly(_ reports: [JoinBench.Report]) -> Set<String> {
        struct Place: Hashable {
            var device: DeviceID
            var window: Int64
        }
        let length = Self.rules.windowMicroseconds
        let all = Dictionary(grouping: reports) { report in
            Place(
                device: report.sighting.device,
                window: report.sighting.at.microseconds / length)
        }
        var lines: Set<String> = []
        for (place, reports) in all {
            let young = reports.filter {
                $0.appended.microseconds / length - place.window < 129
            }
            guard let first = young.first else { continue }
            let last = max(place.window, first.appended.microseconds / length)
            let end = (last + 1) * length + Self.rules.graceMicroseconds
            var nodes: [String: Int] = [:]
            for report in young where report.appended.microseconds < end {
                let node = report.sighting.scanner.text
                nodes[node] = max(nodes[node] ?? -200, report.sighting.rssi)
            }
            let text = nodes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .prefix(Self.rules.nodes).map { "\($0.key)\($0.value)" }
            let seconds = (place.window * length / 1_000 - JoinBench.noon) / 1_000
            lines.insert("\(seconds) \(place.device): \(text.joined(separator: " "))")
        }
        return lines
    }

    @Test("Each device and window gives one scan, wherever the work begins anew", arguments: 0..<50)
    func likeSlowly(seed: Int) {
        var random = SeededRandom(seed: seed)
        let reports = reports(&random)
        var whole = JoinBench(Self.rules)
        for report in reports { whole.add(report) }
        whole.pass(to: 2_000)
        #expect(Set(whole.closed.map(\.line)) == slowly(reports))
        #expect(Set(whole.closed.map(\.line)).count == whole.closed.count)
        whole.store()
        #expect(whole.stored.isEmpty)

        var broken = JoinBench(Self.rules)
        for report in reports {
            if Int.random(in: 0..<10, using: &random) == 0 { broken.restart() }
            // The time is told at other places than in the other run.
            if Int.random(in: 0..<5, using: &random) == 0 {
                broken.pass(
                    to: report.appended.advanced(
                        byMicroseconds: -Int64.random(in: 0..<1_000_000, using: &random)))
            }
            broken.add(report)
        }
        broken.restart()
        broken.pass(to: 2_000)
        #expect(Set(broken.closed) == Set(whole.closed))
        #expect(broken.closed.count == whole.closed.count)
        #expect(broken.drops == whole.drops)
    }

    @Test("Reports that come twice, or in another order, change nothing", arguments: 0..<20)
    func duplicates(seed: Int) {
        var random = SeededRandom(seed: seed)
        let reports = (0..<60).map { _ in
            JoinBench.report(
                "d\(Int.random(in: 0..<3, using: &random))",
                by: "n\(Int.random(in: 0..<8, using: &random))", at: 0.5,
                rssi: -Int.random(in: 40..<45, using: &random), appended: 1)
        }
        var once = JoinBench(Self.rules)
        for report in reports { once.add(report) }
        once.pass(to: 10)
        var twice = JoinBench(Self.rules)
        for report in (reports + reports).shuffled(using: &random) { twice.add(report) }
        twice.pass(to: 10)
        #expect(once.closed == twice.closed)
    }
}
