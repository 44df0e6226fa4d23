public import Events
public import Geometry
import Site

/// A place where people say that they are, with scans that look unlike its surveys.
public struct DisagreeingPlace: Hashable, Sendable {
    /// One or two people may be mistaken about a room.
    static let fewestAuthors = 3

    public var floor: FloorID
    public var room: RoomID?
    /// The mean of the taps' points, in metres of the site's frame.
    public var point: Point
    /// The number of taps that disagree.
    public var taps: Int
    /// The number of people or devices that sent them.
    public var authors: Int
    /// The sum of the authors' voices: each has one, which is shared among the author's places. So
    /// sessions that lie about many places say little about each.
    public var voices: Double
    /// The number of people or devices whose taps agree with the surveys.
    public var agreeingAuthors: Int
    /// The arrival of the first tap that disagrees.
    public var since: Timestamp
    /// The median distance to the places that the scans look like; nil where they look like none.
    public var distanceMetres: Double?

    /// The places where at least three authors disagree with the surveys, and more than agree.
    /// Those with most voices come first.
    static func all(
        _ taps: [CountedTap], judge: SurveyJudge, site: SiteIndex
    ) -> [DisagreeingPlace] {
        var found: [(place: DisagreeingPlace, authors: Set<String>)] = []
        var placesOf: [String: Double] = [:]
        let cells = Dictionary(grouping: taps, by: \.cell)
        for (cell, tapsOfCell) in cells {
            guard let one = place(of: tapsOfCell, in: cell, judge, site) else { continue }
            found.append(one)
            for author in one.authors { placesOf[author, default: 0] += 1 }
        }
        var places: [DisagreeingPlace] = []
        for one in found {
            var place = one.place
            // The order is fixed, so that equal taps give sums equal to the last bit.
            place.voices = one.authors.map { 1 / (placesOf[$0] ?? 1) }.sorted().reduce(0, +)
            places.append(place)
        }
        return places.sorted {
            ($1.voices, $0.floor, $0.point.x, $0.point.y)
                < ($0.voices, $1.floor, $1.point.x, $1.point.y)
        }
    }

    private static func place(
        of taps: [CountedTap], in cell: SurveyCell, _ judge: SurveyJudge, _ site: SiteIndex
    ) -> (place: DisagreeingPlace, authors: Set<String>)? {
        var agreeing: Set<String> = []
        var disagreeing: [CountedTap] = []
        var distances: [Double] = []
        for tap in taps {
            switch judge.verdict(of: tap.asSurvey) {
            case .fits: agreeing.insert(tap.tap.author)
            case .nothingToCompare: break
            case .outsideFloor: disagreeing.append(tap)
            case .againstMap(let metres):
                disagreeing.append(tap)
                if let metres { distances.append(metres) }
            }
        }
        let authors = Set(disagreeing.map(\.tap.author))
        guard authors.count >= fewestAuthors, authors.count > agreeing.count,
            let floor = site.floorIndex(cell.floor)
        else { return nil }
        let count = Double(disagreeing.count)
        let point = Point(
            x: disagreeing.reduce(0) { $0 + $1.point.x } / count,
            y: disagreeing.reduce(0) { $0 + $1.point.y } / count)
        distances.sort()
        let place = DisagreeingPlace(
            floor: cell.floor, room: site.room(at: point, on: floor).map { site.room($0).id },
            point: point, taps: disagreeing.count, authors: authors.count,
            voices: Double(authors.count), agreeingAuthors: agreeing.count,
            since: disagreeing.map(\.tap.scan.receivedAt).min() ?? Timestamp(microseconds: 0),
            distanceMetres: distances.isEmpty ? nil : distances[distances.count / 2])
        return (place: place, authors: authors)
    }
}
