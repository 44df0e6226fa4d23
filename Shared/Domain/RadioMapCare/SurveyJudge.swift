public import Events
import Geometry
import Glibc
public import Positioning
public import Site

/// Holds new surveys against a map: does it say of their places what they heard?
///
/// How far a survey of a place may differ from those around it is learnt from the map itself: each
/// of its fingerprints is held against those near by of other walks. What differs more than 99.9 %
/// of them do is doubted. Where the map has nothing near by, a survey is doubted only when it looks
/// just like another place that is far away.
public struct SurveyJudge: Sendable {
    public enum Verdict: Hashable, Sendable {
        case fits
        /// The map says nothing of the place, or too little to know what is usual.
        case nothingToCompare
        case outsideFloor(metres: Double)
        /// - metres: to the place that it looks like, where it looks like one.
        case againstMap(metres: Double?)
    }

    /// Metres: within them radio is much the same.
    static let nearMetres = 8.0
    /// Metres: what looks the same so far away is not the same place.
    static let farMetres = 40.0
    /// The share of a map's own fingerprints that would pass.
    static let usualShare = 0.999
    /// The share of them that are as alike as two surveys of one place at their best.
    static let likeShare = 0.1
    /// Fewer trials than these know nothing of what is usual.
    static let fewestTrials = 50
    private static let mostTrials = 1_500
    private static let mostCandidates = 400
    private static let mostNeighbours = 64

    private struct Cell: Hashable {
        var floor: Int32
        var x: Int
        var y: Int
    }

    private let map: RadioMap
    private let site: SiteIndex
    private let extent: FloorExtent
    private let floors: [FloorID: Int32]
    private let transmitters: [Transmitter: Int32]
    private let cells: [Cell: [Int]]
    /// Fingerprints that heard each transmitter.
    private let hearing: [Int32: [Int]]
    /// Beyond the one is doubted, and below the other is just like; nil where too little is known.
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
        var cells: [Cell: [Int]] = [:]
        var hearing: [Int32: [Int]] = [:]
        for (index, fingerprint) in map.fingerprints.enumerated() {
            cells[Self.cell(fingerprint.point, fingerprint.floor), default: []].append(index)
            for position in map.readings(of: index) {
                hearing[map.readingTransmitter[position], default: []].append(index)
            }
        }
        self.cells = cells
        self.hearing = hearing
        usual = trials()
    }

    /// What is to be said of a survey that is not in the map.
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

    /// Whether two surveys heard what two surveys of one place hear.
    public func agree(_ one: SurveyRecorded, _ other: SurveyRecorded) -> Bool {
        guard let usual else { return false }
        return HeardSignals(RadioScan(one.scan), transmitters).distance(
            to: HeardSignals(RadioScan(other.scan), transmitters)) <= usual.most
    }

    // MARK: What is usual

    private func trials() -> (most: Double, like: Double)? {
        let stride = max(1, map.fingerprints.count / Self.mostTrials)
        // Surveys of one walk are much alike; a map of few walks has only other places.
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
            // The greatest of so few is not yet what one in a thousand exceeds: a tail that falls
            // exponentially from the median to it goes on as it falls.
            let median = distances[distances.count / 2]
            most += (most - median) * log(fewest / count) / log(count / 2)
        }
        return (most, distances[Int(Double(distances.count) * Self.likeShare)])
    }

    // MARK: Looking

    /// The distance to what is nearest in signals of the fingerprints near by; nil where there is
    /// none.
    private func nearest(
        _ heard: HeardSignals, _ point: Point, _ floor: Int32, where isTaken: (Int) -> Bool
    ) -> Double? {
        let middle = Self.cell(point, floor)
        var near: [Int] = []
        for x in (middle.x - 1)...(middle.x + 1) {
            for y in (middle.y - 1)...(middle.y + 1) {
                near += (cells[Cell(floor: floor, x: x, y: y)] ?? []).filter { index in
                    distance(point, map.fingerprints[index].point) <= Self.nearMetres
                        && isTaken(index)
                }
            }
        }
        // A place that was surveyed a thousand times needs no thousand looks.
        return stride(from: 0, to: near.count, by: max(1, near.count / Self.mostNeighbours))
            .lazy.map { heard.distance(to: HeardSignals(map, near[$0])) }.min()
    }

    /// A place far away that it looks like by less than the distance in signals.
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

    /// Points are within 100 km of the origin: a site has no others.
    private static func cell(_ point: Point, _ floor: Int32) -> Cell {
        Cell(
            floor: floor, x: Int((point.x / nearMetres).rounded(.down)),
            y: Int((point.y / nearMetres).rounded(.down)))
    }
}
