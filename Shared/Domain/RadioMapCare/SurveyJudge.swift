public import Events
import Geometry
import Glibc
public import Positioning
public import Site

/// Compares new surveys with a map: do their readings fit their places?
///
/// The usual difference between neighbouring surveys is measured on the map itself: each
/// fingerprint is compared with those near it from other walks. A survey that differs more than
/// 99.9 % of the fingerprints do is doubted. Where the map has nothing near by, a survey is doubted
/// only when it looks just like another, distant place.
public struct SurveyJudge: Sendable {
    public enum Verdict: Hashable, Sendable {
        case fits
        /// The map has nothing near the place, or too little to know the usual difference.
        case nothingToCompare
        case outsideFloor(metres: Double)
        /// - metres: the distance to the place that the survey looks like; nil where there is none.
        case againstMap(metres: Double?)
    }

    /// Metres; within this distance readings are much the same.
    static let nearMetres = 8.0
    /// Metres; from this distance on, a place that looks the same is another place.
    static let farMetres = 40.0
    /// A survey is doubted if it differs more than this share of the map's own fingerprints do.
    static let usualShare = 0.999
    /// The limit of looking just like another place: the difference that this share of the
    /// fingerprints has at most.
    static let likeShare = 0.1
    /// With fewer trials the usual difference is not known.
    static let fewestTrials = 50
    private static let mostTrials = 1_500
    private static let mostCandidates = 400
    private static let mostNeighbours = 64

    private let map: RadioMap
    private let site: SiteIndex
    private let extent: FloorExtent
    private let floors: [FloorID: Int32]
    private let transmitters: [Transmitter: Int32]
    private let fingerprints: SquareIndex<Int32, Int>
    /// For each transmitter, the fingerprints that received it.
    private let hearing: [Int32: [Int]]
    /// Above `most` a survey is doubted, and below `like` it looks just like the other place. Nil
    /// where too little is known.
    private var usual: (most: Double, like: Double)?

    public init(_ map: RadioMap, site: SiteIndex) {
        self.map = map
        self.site = site
        extent = FloorExtent(site)
        floors = Dictionary(
            map.floors.enumerated().map { ($0.element, Int32($0.offset)) }
        ) { one, _ in one }
        transmitters = Dictionary(
            map.transmitters.enumerated().map { ($0.element, Int32($0.offset)) }
        ) { one, _ in one }
        var fingerprints = SquareIndex<Int32, Int>(side: Self.nearMetres)
        var hearing: [Int32: [Int]] = [:]
        for (index, fingerprint) in map.fingerprints.enumerated() {
            fingerprints.insert(index, at: fingerprint.point, on: fingerprint.floor)
            for position in map.readings(of: index) {
                hearing[map.readingTransmitter[position], default: []].append(index)
            }
        }
        self.fingerprints = fingerprints
        self.hearing = hearing
        usual = trials()
    }

    /// Judges a survey that is not in the map.
    public func verdict(of survey: SurveyRecorded) -> Verdict {
        guard let place = try? site.resolve(survey.place) else { return .nothingToCompare }
        let id = site.floor(place.floor).id
        if let metres = extent.distanceOutside(place.point, on: id) {
            return .outsideFloor(metres: metres)
        }
        guard let usual else { return .nothingToCompare }
        let heard = HeardSignals(RadioScan(survey.scan), transmitters).known
        guard !heard.isEmpty else { return .nothingToCompare }
        let near = floors[id].map { nearest(heard, place.point, $0) { _ in true } } ?? nil
        if let near {
            guard near > usual.most else { return .fits }
            return .againstMap(metres: lookAlike(heard, place.point, near)?.metres)
        }
        let other = lookAlike(heard, place.point, usual.like)
        return other.map { .againstMap(metres: $0.metres) } ?? .nothingToCompare
    }

    /// Whether the readings of two surveys are as alike as those of one place.
    public func agree(_ one: SurveyRecorded, _ other: SurveyRecorded) -> Bool {
        guard let usual else { return false }
        return HeardSignals(RadioScan(one.scan), transmitters).distance(
            to: HeardSignals(RadioScan(other.scan), transmitters)) <= usual.most
    }

    // MARK: What is usual

    private func trials() -> (most: Double, like: Double)? {
        let stride = max(1, map.fingerprints.count / Self.mostTrials)
        // Surveys of one walk are very alike. A map with few walks is compared place against place
        // instead.
        let hasWalks = Set(map.fingerprints.lazy.map(\.walk)).count >= 5
        var distances: [Double] = []
        for index in Swift.stride(from: 0, to: map.fingerprints.count, by: stride) {
            let own = map.fingerprints[index]
            let heard = HeardSignals(map, index)
            guard !heard.isEmpty else { continue }
            let distance = nearest(heard, own.point, own.floor) { other in
                hasWalks
                    ? map.fingerprints[other].walk != own.walk
                    : map.fingerprints[other].place != own.place
            }
            if let distance { distances.append(distance) }
        }
        guard distances.count >= Self.fewestTrials else { return nil }
        distances.sort()
        let count = Double(distances.count)
        let place = Int((count * Self.usualShare).rounded(.up)) - 1
        var most = distances[min(max(place, 0), distances.count - 1)]
        let fewest = 1 / (1 - Self.usualShare)
        if count < fewest {
            // The largest of so few differences is exceeded by more than one in a thousand. So the
            // tail is extended, assuming that it falls exponentially from the median.
            let median = distances[distances.count / 2]
            most += (most - median) * log(fewest / count) / log(count / 2)
        }
        return (most, distances[Int(Double(distances.count) * Self.likeShare)])
    }

    // MARK: Looking

    /// The smallest difference to the fingerprints near the point; nil where there are none.
    private func nearest(
        _ heard: HeardSignals, _ point: Point, _ floor: Int32, where isUsed: (Int) -> Bool
    ) -> Double? {
        let near = fingerprints.near(point, on: floor).filter { index in
            distance(point, map.fingerprints[index].point) <= Self.nearMetres && isUsed(index)
        }
        // A place that was surveyed a thousand times does not need a thousand comparisons.
        return stride(from: 0, to: near.count, by: max(1, near.count / Self.mostNeighbours))
            .lazy.map { heard.distance(to: HeardSignals(map, near[$0])) }.min()
    }

    /// The most similar distant place, if its difference is at most `most`.
    private func lookAlike(
        _ heard: HeardSignals, _ point: Point, _ most: Double
    ) -> (metres: Double, signals: Double)? {
        guard let strongest = heard.strongest, let all = hearing[strongest] else { return nil }
        var best: (metres: Double, signals: Double)?
        for position in stride(from: 0, to: all.count, by: max(1, all.count / Self.mostCandidates))
        {
            let metres = distance(point, map.fingerprints[all[position]].point)
            guard metres >= Self.farMetres else { continue }
            let signals = heard.distance(to: HeardSignals(map, all[position]))
            if signals <= most, signals < best?.signals ?? .infinity { best = (metres, signals) }
        }
        return best
    }

    private func distance(_ one: Point, _ other: Point) -> Double {
        let (x, y) = (one.x - other.x, one.y - other.y)
        return (x * x + y * y).squareRoot()
    }
}
