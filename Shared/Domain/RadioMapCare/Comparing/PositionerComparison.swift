import Accuracy
public import Events
public import Positioning
public import Site

/// The positioners of a site, judged by its surveys and by taps.
///
/// Both are kept apart. A survey's place is known. A tap is what a stranger says, so nothing is
/// decided by taps.
public struct PositionerComparison: Hashable, Sendable {
    /// The most surveys of a map that are used, spread over all places. This bounds the work, since
    /// some positioners learn from all of them for each part.
    static let mostSurveys = 5_000
    /// The most taps that are located. If there are more, each author has a turn with one after the
    /// other, the newest first.
    static let mostTaps = 1_000
    /// Older taps say too little about the radio of today.
    public static let microsecondsOfTaps: Int64 = 30 * 86_400_000_000

    public let served: String
    /// Each survey is located by a part of the radio map that lacks its place. Nil where the map is
    /// too small for that.
    public let bySurveys: PositionerFigures?
    /// Whether surveys were changed as if they were of another session, because the map has too few
    /// sessions to leave them out.
    public let isDisturbed: Bool
    /// Each tap is located by the radio map as it is. Nil where there are none.
    public let byTaps: PositionerFigures?
    /// The number of people or devices whose taps count.
    public let tapAuthors: Int

    /// Locates all scans, which may last for a minute.
    ///
    /// - Parameters:
    ///   - candidates: not empty; the served one comes first.
    ///   - choice: that of the radio map, which was made with all of its surveys.
    ///   - taps: the site's, in any order.
    public init(
        _ candidates: [CandidatePositioner], on map: RadioMap, site: SiteIndex, choice: String?,
        taps: [TapRecorded]
    ) {
        served = candidates[0].name
        let candidates = candidates.map { $0.following(choice) }
        let used = map.spread(most: Self.mostSurveys)
        let held = HeldOutPlaces(used)
        bySurveys = Self.figures(candidates, bySurveysOf: used, held, site)
        isDisturbed = held.isDisturbed
        // A survey that was made of a tap would locate it.
        let surveyed = Set(map.fingerprints.map(\.survey))
        let counted = CountedTap.all(
            taps.filter { !surveyed.contains($0.scan.id) }, site: site, most: Self.mostTaps)
        byTaps = Self.figures(candidates, by: counted, on: map, site)
        tapAuthors = Set(counted.map(\.tap.author)).count
    }

    private static func figures(
        _ candidates: [CandidatePositioner], bySurveysOf map: RadioMap, _ held: HeldOutPlaces,
        _ site: SiteIndex
    ) -> PositionerFigures? {
        let folds = held.folds.map { fold in
            (fold: fold, scans: fold.scans.map { PlacedScan($0, of: map) })
        }
        guard !folds.isEmpty else { return nil }
        let fallback = map.middle
        return PositionerFigures(candidates, over: folds.flatMap(\.scans), areSent: false) {
            positioner in
            var answers = PositionerAnswers()
            for (fold, scans) in folds {
                answers.locate(
                    scans, by: positioner.prepare(fold.part(of: map), site: site),
                    fallback: fallback)
            }
            return answers
        }
    }

    private static func figures(
        _ candidates: [CandidatePositioner], by taps: [CountedTap], on map: RadioMap,
        _ site: SiteIndex
    ) -> PositionerFigures? {
        let scans = taps.compactMap { PlacedScan($0, site: site) }
        guard !scans.isEmpty else { return nil }
        let fallback = map.middle
        return PositionerFigures(candidates, over: scans, areSent: true) { positioner in
            var answers = PositionerAnswers()
            answers.locate(
                scans, by: positioner.prepare(map, site: site), fallback: fallback)
            return answers
        }
    }

    /// The positioner to promote: by surveys it is better than the served one, and of several the
    /// one with the least mean error. Nil to keep the served one.
    public var promoted: String? {
        bySurveys?.judged.filter { $0.verdict == .better }.min {
            ($0.summary.mean ?? .infinity) < ($1.summary.mean ?? .infinity)
        }?.name
    }
}
