import Accuracy
public import Positioning
public import Site

/// The positioners of a site, judged by its surveys: each is located by a part of the radio map
/// that lacks its place.
public struct PositionersBySurveys: Hashable, Sendable {
    /// The most surveys of a map that are used, spread over all places. This bounds the work, since
    /// some positioners learn from all of them for each part.
    static let mostSurveys = 5_000

    public let served: String
    /// Nil where no survey can be left out: the map is too small, or all are of floors that the
    /// site's beacons locate.
    public let figures: PositionerFigures?
    /// Whether surveys were changed as if they were of another session, because the map has too few
    /// sessions to leave them out.
    public let isDisturbed: Bool

    /// Locates all scans, which may last for a minute.
    ///
    /// - Parameters:
    ///   - candidates: not empty; the served one comes first.
    ///   - choice: that of the radio map, which was made with all of its surveys.
    public init(
        _ candidates: [CandidatePositioner], on map: RadioMap, site: SiteIndex, choice: String?
    ) {
        served = candidates[0].name
        let used = map.spread(most: Self.mostSurveys)
        let held = HeldOutPlaces(used)
        isDisturbed = held.isDisturbed
        // A radio map has no Bluetooth readings as they were sent. So trials would try a positioner
        // without the beacons that it uses on these floors.
        let beaconed = StatedFloors(map, site: site).byBeacons
        let folds = held.folds.map { fold -> (fold: HeldOutPlaces.Fold, scans: [PlacedScan]) in
            let scans = fold.scans.map { PlacedScan($0, of: used) }
            return (fold: fold, scans: scans.filter { !beaconed.contains($0.cell.floor) })
        }.filter { !$0.scans.isEmpty }
        guard !folds.isEmpty else {
            figures = nil
            return
        }
        let fallback = used.middle
        figures = PositionerFigures(
            candidates.map { $0.following(choice) }, over: folds.flatMap(\.scans), areSent: false
        ) { positioner in
            var answers = PositionerAnswers()
            for (fold, scans) in folds {
                answers.locate(
                    scans, by: positioner.prepare(fold.part(of: used), site: site),
                    fallback: fallback)
            }
            return answers
        }
    }

    /// The positioner to promote: it is better than the served one, and of several the one with the
    /// least mean error. Nil to keep the served one.
    public var promoted: String? {
        figures?.judged.filter { $0.verdict == .better }.min {
            ($0.summary.mean ?? .infinity) < ($1.summary.mean ?? .infinity)
        }?.name
    }
}
