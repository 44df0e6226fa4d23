public import Events
public import Site

/// The findings of taps about a radio map: places where they disagree with its surveys, and
/// transmitters that have changed since.
///
/// Nobody has checked a tap, and anybody may send some. So these are hints for surveyors, and no
/// map is made of them.
public struct TapFindings: Sendable {
    /// The worst first: those with most voices.
    public let places: [DisagreeingPlace]
    /// The newest first.
    public let changes: [NoticedChange]

    /// - Parameters:
    ///   - taps: those of a building, in any order.
    ///   - surveys: those of the building that count.
    ///   - judge: knows the newest map.
    public init(
        taps: [TapRecorded], surveys: [SurveyRecorded], judge: SurveyJudge, site: SiteIndex
    ) {
        var latest: [SurveyCell: Timestamp] = [:]
        for survey in surveys {
            guard let place = try? site.resolve(survey.place) else { continue }
            let cell = SurveyCell(place.point, on: site.floor(place.floor).id)
            latest[cell] = max(latest[cell] ?? .init(microseconds: .min), survey.scan.receivedAt)
        }
        // A survey knows better than the taps before it.
        let counted = CountedTap.all(taps, site: site).filter { tap in
            latest[tap.cell].map { tap.tap.scan.receivedAt > $0 } ?? true
        }
        places = DisagreeingPlace.all(counted, judge: judge, site: site)
        changes = NoticedChange.all(counted, surveys: surveys, site: site)
    }
}
