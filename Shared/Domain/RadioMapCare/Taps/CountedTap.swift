import Events
import Geometry
import Site

/// A tap that counts: of each author at most one at a place on a day.
///
/// The day is that of the arrival, since senders choose the time of their scans. Who taps often
/// says no more than who taps once.
struct CountedTap {
    /// The most that are compared, which bounds the work. If there are more, each author has a turn
    /// with one after the other, the newest first. So those who tap often leave out nobody.
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
    static func all(
        _ taps: [TapRecorded], site: SiteIndex, most: Int = CountedTap.most
    ) -> [CountedTap] {
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
        return counted.count > most ? inTurns(counted, most) : counted
    }

    private static func inTurns(_ counted: [CountedTap], _ most: Int) -> [CountedTap] {
        var turns: [String: Int] = [:]
        var ranked: [(turn: Int, age: Int)] = []
        for (age, one) in counted.reversed().enumerated() {
            let turn = turns[one.tap.author] ?? 0
            turns[one.tap.author] = turn + 1
            ranked.append((turn: turn, age: age))
        }
        ranked.sort { ($0.turn, $0.age) < ($1.turn, $1.age) }
        let ages = ranked.prefix(most).map { $0.age }.sorted()
        return ages.reversed().map { counted[counted.count - 1 - $0] }
    }

    /// The tap in the form of a survey, for comparisons. It is none.
    var asSurvey: SurveyRecorded { SurveyRecorded(scan: tap.scan, place: tap.place) }
}
