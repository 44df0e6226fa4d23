public import Events
public import Positioning
public import Site

/// The positioners of a site, judged by taps, each located by the radio map as it is.
///
/// A tap is what a stranger says. So these figures are kept apart from those by surveys, and
/// nothing is decided by them.
public struct PositionersByTaps: Hashable, Sendable {
    /// The most taps that are located. If there are more, each author has a turn with one after the
    /// other, the newest first.
    static let mostTaps = 1_000
    /// Older taps say too little about the radio of today.
    public static let microsecondsKept: Int64 = 30 * 86_400_000_000

    public let figures: PositionerFigures
    /// The number of authors whose taps count. An author is a person's day, because pseudonyms
    /// change daily.
    public var authors: Int { figures.sources ?? 0 }

    /// Locates all taps that count. Nil where there are none.
    ///
    /// - Parameters:
    ///   - candidates: the served one first.
    ///   - choice: that of the radio map.
    ///   - taps: the site's, in any order.
    public init?(
        _ candidates: [CandidatePositioner], on map: RadioMap, site: SiteIndex, choice: String?,
        taps: [TapRecorded]
    ) {
        // A survey that was made of a tap would locate it.
        let surveyed = Set(map.fingerprints.map(\.survey))
        let counted = CountedTap.all(
            taps.filter { !surveyed.contains($0.scan.id) }, site: site, most: Self.mostTaps)
        let scans = counted.compactMap { PlacedScan($0, site: site) }
        guard !scans.isEmpty else { return nil }
        let fallback = map.middle
        figures = PositionerFigures(
            candidates.map { $0.following(choice) }, over: scans, areSent: true
        ) { positioner in
            var answers = PositionerAnswers()
            answers.locate(
                scans, by: positioner.prepare(map, site: site), fallback: fallback)
            return answers
        }
    }
}
