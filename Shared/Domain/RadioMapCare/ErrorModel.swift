public import Geometry
import Glibc
public import Positioning
import Site

/// The expected error of a scan at any point, fitted to trials of the radio map on itself.
///
/// Two things make up an error. One is the distance to the nearest survey, fitted as a straight
/// line over all trials of the site. The other is the character of the place (glass, a hall, few
/// transmitters). It is the ratio of errors in trials near the point to that line.
public struct ErrorModel: Hashable, Sendable {
    /// The deviation in metres of the kernel over trials: a trial at this distance counts 0.6 of
    /// one at the point.
    static let nearMetres = 5.0
    /// The number of imagined trials with a ratio of 1 that are mixed into each ratio.
    static let priorTrials = 4.0
    /// The largest ratio that one trial counts for, because a single wild estimate does not make a
    /// bad place.
    static let largestRatio = 4.0
    /// The limits of metres of error for each metre to the nearest survey.
    static let slopes = 0.05...1.0
    /// The smallest error in metres at a surveyed place.
    static let leastBase = 0.3
    static let fewestTrials = 20

    /// The error in metres at a surveyed place.
    public let base: Double
    /// Metres of error for each metre to the nearest survey.
    let perMetre: Double
    /// Squares are two deviations wide, so that trials beyond the neighbouring ones hardly count.
    private var tried = SquareIndex<Int32, Tried>(side: 2 * ErrorModel.nearMetres)

    private struct Tried: Hashable {
        let point: Point
        let ratio: Double
    }

    /// Fits the model; nil for too few trials.
    public init?(_ trials: [HeldOutTrial], on map: RadioMap) {
        let known = trials.compactMap { trial in
            trial.error.map { (trial: trial, error: $0) }
        }
        guard known.count >= Self.fewestTrials else { return nil }
        let line = Self.line(known.map { ($0.trial.distance, $0.error) })
        base = line.base
        perMetre = line.perMetre
        for (trial, error) in known {
            let fingerprint = map.fingerprints[Int(trial.fingerprint)]
            let expected = base + perMetre * trial.distance
            tried.insert(
                Tried(
                    point: fingerprint.point, ratio: min(Self.largestRatio, error / expected)),
                at: fingerprint.point, on: fingerprint.floor)
        }
    }

    /// The ratio of the errors around a point to the usual error at this distance from surveys.
    ///
    /// - Parameter floor: an index into the map's floors.
    public func ratio(at point: Point, floor: Int32) -> Double {
        var sum = Self.priorTrials
        var weight = Self.priorTrials
        for trial in tried.near(point, on: floor) {
            let distance = trial.point.distance(to: point) / Self.nearMetres
            let near = exp(-distance * distance / 2)
            sum += near * trial.ratio
            weight += near
        }
        return sum / weight
    }

    /// The expected error in metres.
    ///
    /// - Parameter distance: metres to the nearest survey, measured like `SurveyedPlaces`.
    public func error(ratio: Double, distance: Double) -> Double {
        ratio * (base + perMetre * distance)
    }

    /// The mean expected error over the points of the floor where people can stand, in metres. Nil
    /// where there are none.
    func mean(
        on floor: Int32, of map: RadioMap, _ surveyed: SurveyedPlaces, site: SiteIndex
    ) -> Double? {
        guard let index = site.floorIndex(map.floors[Int(floor)]) else { return nil }
        let points = FloorGrid(surveyed, site: site, floor: index, number: floor).points
        let sum = points.reduce(0) { sum, point in
            sum
                + error(
                    ratio: ratio(at: point, floor: floor),
                    distance: surveyed.distance(from: point, floor: floor))
        }
        return points.isEmpty ? nil : sum / Double(points.count)
    }

    /// Fits a line by least squares, within plausible limits.
    private static func line(
        _ trials: [(distance: Double, error: Double)]
    ) -> (base: Double, perMetre: Double) {
        let count = Double(trials.count)
        let distance = trials.reduce(0) { $0 + $1.distance } / count
        let error = trials.reduce(0) { $0 + $1.error } / count
        let variance = trials.reduce(0) { sum, trial in
            sum + (trial.distance - distance) * (trial.distance - distance)
        }
        let covariance = trials.reduce(0) { sum, trial in
            sum + (trial.distance - distance) * (trial.error - error)
        }
        let slope = variance > 0 ? covariance / variance : 0
        let perMetre = min(max(slope, slopes.lowerBound), slopes.upperBound)
        return (max(leastBase, error - perMetre * distance), perMetre)
    }
}
