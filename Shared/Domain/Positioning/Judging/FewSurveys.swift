import Geometry
import Glibc

/// Radii for floors with so few surveys that a self-test learns too little from them.
///
/// A scan that resembles no survey of its floor was made far from all of them. How far is learned
/// in two steps. Pairs of the map's own surveys tell how many metres a difference of the readings
/// stands for at this site. The rest was fitted to random small parts of other maps, with scans of
/// all of their ground (docs/accuracy.md, section Few surveys).
///
/// A scan that is farther from the surveys than they are from each other is beyond them. It may
/// have been made anywhere near its transmitters, so it is never certain.
struct FewSurveys: Sendable {
    /// With no more surveys on a floor, these radii count in full. Self-tests of 40 to 60 surveys
    /// give radii of 95 % that hold 80 to 100 %.
    static let few = 60
    /// With so many surveys on a floor, these radii count no more.
    static let enough = 80
    /// With surveys of fewer places, every scan is beyond them.
    static let fewestPlaces = 3
    /// The metres that a difference of 1 stands for, before any pair of surveys.
    static let usualMetres = 40.0
    /// The weight of `usualMetres`, in surveys.
    static let usualWeight = 4.0
    /// Differences that tell metres. Smaller ones may be noise, and larger ones hardly grow.
    static let telling = 0.4...0.85
    /// The metres that a difference of 1 may stand for. Surveys with wrong places may tell others.
    static let possibleMetres = 1.0...200.0
    /// Metres. Surveys that are all closer together tell little: noise is most of their difference.
    static let tellingExtent = 15.0
    /// Metres. Surveys less than this apart are of one place.
    static let samePlace = 0.15
    /// The most surveys of a map whose pairs are compared.
    static let mostCompared = 120
    /// The share of surveys whose difference from the others sets the limit, and its margin.
    static let usualShare = 0.9
    static let margin = 0.1
    /// The exponent that weighs strong readings more, and the weakest reading, as in `Familiarity`.
    private static let exponent = M_E
    private static let weakest = -105.0

    /// The logarithm of a radius is the sum of a constant, a power of the difference, and one of
    /// the site's metres.
    private struct Law {
        var constant: Double
        var differencePower: Double
        var metresPower: Double
        /// The factor for a scan beyond the surveys.
        var beyond: Double

        func radius(_ difference: Double, _ metres: Double, isBeyond: Bool) -> Double {
            let logarithm =
                constant + differencePower * log(difference + 0.05)
                + metresPower * log(metres / FewSurveys.usualMetres)
            return exp(logarithm) * (isBeyond ? beyond : 1) - 0.5
        }
    }

    /// Quantiles of the errors of `chosen`, a little above the stated ones.
    private static let law68 = Law(
        constant: 3.911, differencePower: 1.252, metresPower: 0.945, beyond: 1.25)
    private static let law95 = Law(
        constant: 4.714, differencePower: 1.129, metresPower: 1.203, beyond: 1.4)

    struct Finding: Hashable, Sendable {
        /// Metres.
        var radius68: Double
        var radius95: Double
        /// Whether the scan is beyond the floor's surveys.
        var isBeyond: Bool
    }

    private struct Survey: Sendable {
        var readings: [(transmitter: Int32, weight: Double)]
        var total: Double
    }

    private struct Floor: Sendable {
        var surveys: [Survey]
        /// The largest difference of a scan that is not beyond the surveys.
        var limit: Double
        /// How much these radii count.
        var share: Double
    }

    private let transmitters: TransmitterNumbers
    /// Nil for a floor with enough surveys, and for one without any.
    private let floors: [Floor?]
    private let metres: Double

    init(_ map: RadioMap) {
        transmitters = TransmitterNumbers(map)
        var indices = [[Int]](repeating: [], count: map.floors.count)
        for (index, fingerprint) in map.fingerprints.enumerated() {
            indices[Int(fingerprint.floor)].append(index)
        }
        floors = indices.map { own in
            own.isEmpty || own.count >= Self.enough ? nil : Self.floor(own, map)
        }
        metres =
            floors.contains { $0 != nil }
            ? Self.metres(map.spread(most: Self.mostCompared)) : Self.usualMetres
    }

    /// The radii for a scan whose place is on this floor of the map; nil where enough was surveyed.
    func finding(_ scan: RadioScan, floor: Int32) -> Finding? {
        guard let own = floors[Int(floor)] else { return nil }
        var weights: [Int32: Double] = [:]
        var total = 0.0
        for reading in scan.readings {
            guard let number = transmitters[reading.transmitter] else { continue }
            let weight = Self.weight(reading.rssi)
            weights[number] = weight
            total += weight
        }
        let difference =
            own.surveys.map { Self.difference($0, total) { weights[$0] ?? 0 } }.min() ?? 1
        let isBeyond = difference > own.limit
        let metres = isBeyond ? max(metres, Self.usualMetres) : metres
        let radius68 = max(1, Self.law68.radius(difference, metres, isBeyond: isBeyond))
        let normal = RadiusCalibration.radius95PerDeviation / RadiusCalibration.radius68PerDeviation
        let radius95 = max(
            normal * radius68, Self.law95.radius(difference, metres, isBeyond: isBeyond))
        return Finding(
            radius68: own.share * radius68, radius95: own.share * radius95,
            isBeyond: isBeyond && own.share == 1)
    }

    private static func weight(_ rssi: Int8) -> Double {
        pow(max(0, (Double(rssi) - weakest) / -weakest), exponent)
    }

    /// The Sorensen distance of a survey and a scan with these weights, whose sum is `total`.
    private static func difference(
        _ survey: Survey, _ total: Double, _ weight: (Int32) -> Double
    ) -> Double {
        let shared = survey.readings.reduce(0) { $0 + min($1.weight, weight($1.transmitter)) }
        let sum = survey.total + total
        return sum > 0 ? max(0, 1 - 2 * shared / sum) : 1
    }

    private static func difference(_ first: Survey, _ second: Survey) -> Double {
        // Both are ordered by transmitter.
        var (shared, next) = (0.0, 0)
        for reading in first.readings {
            while next < second.readings.count,
                second.readings[next].transmitter < reading.transmitter
            {
                next += 1
            }
            guard next < second.readings.count else { break }
            guard second.readings[next].transmitter == reading.transmitter else { continue }
            shared += min(reading.weight, second.readings[next].weight)
        }
        let sum = first.total + second.total
        return sum > 0 ? max(0, 1 - 2 * shared / sum) : 1
    }

    private static func survey(_ index: Int, _ map: RadioMap) -> Survey {
        let readings = map.readings(of: index).map {
            (transmitter: map.readingTransmitter[$0], weight: weight(map.readingRSSI[$0]))
        }
        return Survey(readings: readings, total: readings.reduce(0) { $0 + $1.weight })
    }

    private static func floor(_ indices: [Int], _ map: RadioMap) -> Floor {
        let surveys = indices.map { survey($0, map) }
        let points = indices.map { map.fingerprints[$0].point }
        let nearest = indices.indices.compactMap { own in
            indices.indices.lazy.filter { points[$0].distance(to: points[own]) >= samePlace }
                .map { difference(surveys[own], surveys[$0]) }.min()
        }.sorted()
        let places = Set(indices.map { map.fingerprints[$0].place }).count
        let usual = Int((usualShare * Double(max(0, nearest.count - 1))).rounded(.up))
        let isKnown = places >= fewestPlaces && nearest.indices.contains(usual)
        let share = Double(enough - indices.count) / Double(enough - few)
        return Floor(
            surveys: surveys, limit: isKnown ? nearest[usual] + margin : -1,
            share: min(share, 1))
    }

    /// The metres that a difference of 1 stands for: the geometric mean over pairs of surveys of a
    /// floor, drawn towards `usualMetres`. Pairs share surveys, so they weigh no more than those.
    private static func metres(_ map: RadioMap) -> Double {
        let surveys = map.fingerprints.indices.map { survey($0, map) }
        var (sum, count, farthest) = (0.0, 0, 0.0)
        for first in surveys.indices {
            let own = map.fingerprints[first]
            for second in surveys.indices.prefix(first)
            where map.fingerprints[second].floor == own.floor {
                let distance = map.fingerprints[second].point.distance(to: own.point)
                guard distance >= samePlace else { continue }
                farthest = max(farthest, distance)
                let difference = difference(surveys[first], surveys[second])
                guard telling.contains(difference) else { continue }
                sum += log(distance / difference)
                count += 1
            }
        }
        guard count > 0 else { return usualMetres }
        let extent = min(1, farthest / tellingExtent * farthest / tellingExtent)
        let weight = extent * Double(min(count, surveys.count - 1))
        let mean =
            (weight * sum / Double(count) + usualWeight * log(usualMetres)) / (weight + usualWeight)
        return min(max(exp(mean), possibleMetres.lowerBound), possibleMetres.upperBound)
    }
}
