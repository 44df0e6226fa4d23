public import Accuracy
import Positioning

/// How well the positioners of a site locate the same scans, whose places are known or stated.
public struct PositionerFigures: Hashable, Sendable {
    /// Whether a positioner's errors are smaller than those of the served one.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        case better
        case worse
        /// The difference may be chance.
        case undecided

        init(_ difference: PairedDifference) {
            guard difference.paths ?? 0 >= PositionerFigures.fewestPlaces else {
                self = .undecided
                return
            }
            self =
                difference.upper95 < 0 ? .better : difference.lower95 > 0 ? .worse : .undecided
        }
    }

    /// The figures of one positioner.
    public struct Judged: Hashable, Sendable {
        public let name: String
        public let summary: AccuracySummary
        /// The share of scans that are `located`, neither `uncertain` nor `lost`.
        public let located: Double
        /// Whether it would use the scans before. It may do better on a path than here.
        public let remembers: Bool
        /// Its errors minus those of the served one, drawn by place. Nil for the served one, and
        /// where that can't be tried.
        public let difference: PairedDifference?
        /// Nil where there is no difference.
        public let verdict: Verdict?
    }

    /// A positioner that could not be tried.
    public struct Untried: Hashable, Sendable {
        public let name: String
        public let obstacle: CandidatePositioner.Obstacle
    }

    /// With fewer places nothing is decided: intervals of few groups are too short (Cameron,
    /// Gelbach and Miller 2008, Review of Economics and Statistics 90, 414-427).
    static let fewestPlaces = 10
    private static let seed: UInt64 = 1

    public let scans: Int
    /// The number of places of the scans, which are squares of 4 m (`SurveyCell`).
    public let places: Int
    /// In the order of the candidates, the served one first.
    public let judged: [Judged]
    public let untried: [Untried]

    /// - Parameters:
    ///   - candidates: the served one first.
    ///   - scans: all that each positioner locates.
    ///   - areSent: whether the scans are as devices sent them, and not made of a map.
    ///   - answers: locates the scans in their order.
    init(
        _ candidates: [CandidatePositioner], over scans: [PlacedScan], areSent: Bool,
        _ answers: (any Positioner) -> PositionerAnswers
    ) {
        var tried: [(name: String, answers: PositionerAnswers)] = []
        var untried: [Untried] = []
        for candidate in candidates {
            if let obstacle = candidate.obstacle(areSent: areSent) {
                untried.append(Untried(name: candidate.name, obstacle: obstacle))
            } else if let positioner = candidate.positioner {
                tried.append((candidate.name, answers(positioner)))
            }
        }
        let served = candidates.first?.name
        let base = tried.first { $0.name == served }?.answers
        judged = tried.map { name, answers in
            Self.judged(name, answers, against: name == served ? nil : base)
        }
        self.untried = untried
        self.scans = scans.count
        places = Set(scans.map(\.cell)).count
    }

    private static func judged(
        _ name: String, _ answers: PositionerAnswers, against base: PositionerAnswers?
    ) -> Judged {
        let difference = base.flatMap {
            PairedDifference(from: $0.judged, to: answers.judged, seed: seed)
        }
        return Judged(
            name: name, summary: AccuracySummary(answers.judged),
            located: Double(answers.located) / Double(max(1, answers.judged.count)),
            remembers: answers.remembers, difference: difference,
            verdict: difference.map { Verdict($0) })
    }
}
