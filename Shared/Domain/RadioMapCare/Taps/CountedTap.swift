import Events
import Geometry
import Site

/// A tap that counts: of each author at most one at a place on a day.
///
/// The day is that of the arrival, since senders choose the time of their scans. Who taps often
/// says no more than who taps once.
struct CountedTap {
    /// Above this number the oldest are left out, which bounds the work.
    static let most = 5_000
    private static let microsecondsOfDay: Int64 = 86_400_000_000

    let tap: TapRecorded
    let point: Point
    let cell: SurveyCell

    private struct Key: Hashable {
        var author: String
        var cell: SurveyCell
        var day: Int64
    }

    /// The taps that count, the oldest first. A place is a cell of the floor.
    static func all(_ taps: [TapRecorded], site: SiteIndex) -> [CountedTap] {
        var known: Set<Key> = []
        var counted: [CountedTap] = []
        let sorted = taps.sorted {
            ($0.scan.receivedAt, $0.scan.id) < ($1.scan.receivedAt, $1.scan.id)
        }
        for tap in sorted {
            guard let place = try? site.resolve(tap.place) else { continue }
            let cell = SurveyCell(place.point, on: site.floor(place.floor).id)
            let day = tap.scan.receivedAt.microseconds / microsecondsOfDay
            if known.insert(Key(author: tap.author, cell: cell, day: day)).inserted {
                counted.append(CountedTap(tap: tap, point: place.point, cell: cell))
            }
        }
        return counted.suffix(most)
    }

    /// The tap in the form of a survey, for comparisons. It is none.
    var asSurvey: SurveyRecorded { SurveyRecorded(scan: tap.scan, place: tap.place) }
}
