import Foundation
import Testing

/// Each source of positions is left out in turn, in three kinds of sites. The default run is short.
/// With `WHEREABOUTS_FULL_TRACKS` set, more people walk for longer in three buildings, and the
/// tables of docs/accuracy.md are printed. The seeds were written down before their first run.
@Suite("Sources that are left out") struct SourceTrialTests {
    private static let isFull =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FULL_TRACKS"] != nil
    private static let inShort: UInt64 = 1_604

    /// The figures of all people, with everything and without each source.
    private struct Comparison {
        let kind: SiteKind
        private(set) var complete: [SourceFigures] = []
        private(set) var without: [Source: [SourceFigures]] = [:]
        private var holds: [Source: [Bool]] = [:]

        init(_ kind: SiteKind) { self.kind = kind }

        mutating func add(_ trial: SourceTrial) {
            complete += trial.figures(without: [])
            for source in Source.allCases {
                without[source, default: []] += trial.figures(without: [source])
                holds[source, default: []] += trial.holds(source)
            }
        }

        /// The gains of a source in metres and in the share of wrong places, over the people whose
        /// scans hold it. Fewer than three people show nothing.
        func gains(of source: Source) -> [PairedGain] {
            let held = (holds[source] ?? []).indices.filter { holds[source]?[$0] == true }
            guard held.count >= 3, let other = without[source] else { return [] }
            return [\SourceFigures.meanCost, \.wrongShare].map { figure in
                PairedGain(
                    with: held.map { complete[$0][keyPath: figure] },
                    without: held.map { other[$0][keyPath: figure] })
            }
        }

        /// The table of docs/accuracy.md.
        var table: String {
            func row(_ name: String, _ figures: [SourceFigures], _ gains: [PairedGain]) -> String {
                let sum = figures.reduce(SourceFigures(), +)
                let cells = [name] + sum.cells + gains.map(\.text)
                return "| " + cells.joined(separator: " | ") + " |"
            }
            let rows = Source.allCases.map {
                row("without \($0.rawValue)", without[$0] ?? [], gains(of: $0))
            }
            return """
                | \(kind.rawValue) | mean | p95 | right room | right floor | room changes an hour \
                | outdoors | gain, m | gain, right places |
                |---|---|---|---|---|---|---|---|---|
                \(([row("all sources", complete, [])] + rows).joined(separator: "\n"))
                """
        }
    }

    private static func comparisons(
        seeds: [UInt64], _ size: SourceTrial.Size
    ) throws -> [Comparison] {
        var comparisons = SiteKind.allCases.map { Comparison($0) }
        for seed in seeds {
            let crowd = try SourceTrial.Crowd(seed: seed, size)
            for index in comparisons.indices {
                comparisons[index].add(try SourceTrial(comparisons[index].kind, crowd))
            }
        }
        return comparisons
    }

    private static func expectHelp(_ comparisons: [Comparison]) {
        for comparison in comparisons { print(comparison.table) }
        for source in Source.allCases {
            let gains = comparisons.flatMap { $0.gains(of: source) }
            let isHelp = gains.contains { $0.isClear }
            #expect(isHelp, "\(source.rawValue) helps nowhere: \(gains.map(\.text))")
        }
        let complete = comparisons.flatMap(\.complete).reduce(SourceFigures(), +)
        #expect(complete.scansOutdoors > 0 && complete.restingScans > 0)
    }

    @Test("Each source helps in at least one kind of site")
    func helps() throws {
        // Every ninth survey is used, so that the radio map has all four directions.
        try Self.expectHelp(
            Self.comparisons(
                seeds: [Self.inShort],
                SourceTrial.Size(people: 4, seconds: 180, surveyStride: 9, chooses: false)))
    }

    @Test(
        "Each source helps in at least one kind of site, with more people in three buildings",
        .enabled(
            if: isFull,
            "36 simulated hours take long: set WHEREABOUTS_FULL_TRACKS, build for release"))
    func helpsInFull() throws {
        try Self.expectHelp(
            Self.comparisons(
                seeds: [1_601, 1_602, 1_603],
                SourceTrial.Size(people: 12, seconds: 1_200, surveyStride: 1, chooses: true)))
    }

    @Test("A source that no scan holds helps nowhere, and one that misleads is seen to")
    func planted() {
        let errors = [3.0, 4, 5, 6]
        let same = PairedGain(with: errors, without: errors)
        #expect(!same.isClear && !same.isHarm)
        // The differences are 1, 2, 1 and 2: their deviation is the root of 1/3.
        let better = PairedGain(with: errors, without: [4, 6, 6, 8])
        #expect(better.mean == 1.5)
        #expect(abs(better.standardError - (1.0 / 12).squareRoot()) < 1e-12)
        #expect(better.isClear && !better.isHarm)
        let worse = PairedGain(with: [4, 6, 6, 8], without: errors)
        #expect(worse.isHarm && !worse.isClear)
        // One of four people gains, so it may be chance.
        #expect(!PairedGain(with: errors, without: [5, 4, 5, 6]).isClear)
    }
}
