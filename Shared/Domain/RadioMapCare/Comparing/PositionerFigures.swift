public import Accuracy
import Events
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
            guard difference.paths ?? 0 >= PositionerFigures.fewestGroups else {
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
        /// A wrong floor, or none, adds `HeldOutPlaces.wrongFloorMetres` to an error.
        public let summary: AccuracySummary
        /// The share of scans that are `located`, neither `uncertain` nor `lost`.
        public let located: Double
        /// Whether it would use the scans before. It may do better on a path than here.
        public let remembers: Bool
        /// Whether it follows the radio map's choice. The surveys that judge it had a part in that,
        /// which favours it.
        public let followsChoice: Bool
        /// Its errors minus those of the served one, drawn by place or by source: that with the
        /// wider interval. Nil for the served one, and where that can't be tried.
        public let difference: PairedDifference?
        /// Nil where there is no difference. It is decided where both draws agree.
        public let verdict: Verdict?
    }

    /// A positioner that could not be tried.
    public struct Untried: Hashable, Sendable {
        public let name: String
        public let obstacle: CandidatePositioner.Obstacle
    }

    /// With fewer places or sources nothing is decided, because intervals of few groups are too
    /// short. See Cameron, Gelbach and Miller 2008, Review of Economics and Statistics 90, 414-427.
    static let fewestGroups = 10
    private static let seed: UInt64 = 1

    public let scans: Int
    /// The number of places of the scans, which are squares of 4 m (`SurveyCell`).
    public let places: Int
    /// The number of phones, walks or people that scans of different places share. Nil where they
    /// share none.
    public let sources: Int?
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
        var tried: [(candidate: CandidatePositioner, answers: PositionerAnswers)] = []
        var untried: [Untried] = []
        for candidate in candidates {
            if let obstacle = candidate.obstacle(areSent: areSent) {
                untried.append(Untried(name: candidate.name, obstacle: obstacle))
            } else if let positioner = candidate.positioner {
                tried.append((candidate, answers(positioner)))
            }
        }
        let served = candidates.first?.name
        let base = tried.first { $0.candidate.name == served }?.answers
        judged = tried.map { candidate, answers in
            let differences = Self.differences(
                of: answers, from: candidate.name == served ? nil : base, over: scans)
            return Self.judged(candidate, answers, differences)
        }
        self.untried = untried
        self.scans = scans.count
        places = Set(scans.map(\.cell)).count
        let sources = Set(scans.compactMap(\.source))
        self.sources = sources.isEmpty ? nil : sources.count
    }

    /// The differences drawn by place and, where scans have sources, by source. Neighbours share
    /// walls, and scans of a source a phone or a moment: each may hide behind the other.
    private static func differences(
        of answers: PositionerAnswers, from base: PositionerAnswers?, over scans: [PlacedScan]
    ) -> [PairedDifference] {
        guard let base else { return [] }
        let differences = zip(base.judged, answers.judged).map { $1.distance - $0.distance }
        let cells = scans.map { "\($0.cell.floor.text) \($0.cell.x) \($0.cell.y)" as String? }
        let sources = scans.map(\.source)
        return [cells, sources].filter { $0.contains { $0 != nil } }.compactMap {
            PairedDifference(differences, paths: $0, seed: seed)
        }
    }

    private static func judged(
        _ candidate: CandidatePositioner, _ answers: PositionerAnswers,
        _ differences: [PairedDifference]
    ) -> Judged {
        let verdicts = Set(differences.map { Verdict($0) })
        let summary = AccuracySummary(answers.judged)
        return Judged(
            name: candidate.name, summary: summary, located: summary.located ?? 0,
            remembers: answers.remembers, followsChoice: candidate.followsChoice,
            difference: differences.max {
                $0.upper95 - $0.lower95 < $1.upper95 - $1.lower95
            },
            verdict: verdicts.count > 1 ? .undecided : verdicts.first)
    }
}
