public import Geometry
import Glibc
public import Positioning
import Site

/// What error a scan would have at any point, learnt from trials of the radio map on itself.
///
/// Two things make an error: how far it is to the nearest survey, which is a straight line over all
/// trials of the site; and what the place is like (glass, a hall, few transmitters), which is the
/// ratio of the errors tried near the point to that line.
public struct ErrorModel: Hashable, Sendable {
    /// Metres; trials at this distance count 0.6 of one at the point itself.
    static let nearMetres = 5.0
    /// The ratio is mixed with 1 as if that had been tried so many times.
    static let priorTrials = 4.0
    /// A single trial speaks for at most this ratio: one wild answer is no bad place.
    static let largestRatio = 4.0
    /// What a metre to the nearest survey costs in metres of error, at least and at most.
    static let slopes = 0.05...1.0
    /// Metres of error where a survey was made, at least.
    static let leastBase = 0.3
    static let fewestTrials = 20

    /// Metres of error where a survey was made.
    public let base: Double
    /// Metres of error for each metre to the nearest survey.
    let perMetre: Double
    private var tried: [Cell: [Tried]] = [:]

    private struct Cell: Hashable {
        let floor: Int32
        let x: Int64
        let y: Int64
    }

    private struct Tried: Hashable {
        let point: Point
        let ratio: Double
    }

    /// Nil for too few trials.
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
            tried[Self.cell(fingerprint.point, fingerprint.floor), default: []].append(
                Tried(
                    point: fingerprint.point, ratio: min(Self.largestRatio, error / expected)))
        }
    }

    /// How many times larger errors are about a point than elsewhere with surveys as near.
    ///
    /// - Parameter floor: into the map's floors.
    public func ratio(at point: Point, floor: Int32) -> Double {
        var sum = Self.priorTrials
        var weight = Self.priorTrials
        let own = Self.cell(point, floor)
        for x in -1...1 {
            for y in -1...1 {
                let cell = Cell(floor: floor, x: own.x + Int64(x), y: own.y + Int64(y))
                for trial in tried[cell] ?? [] {
                    let distance = trial.point.distance(to: point) / Self.nearMetres
                    let near = exp(-distance * distance / 2)
                    sum += near * trial.ratio
                    weight += near
                }
            }
        }
        return sum / weight
    }

    /// Metres.
    ///
    /// - Parameter distance: metres to the nearest survey, as `SurveyedPlaces` has it.
    public func error(ratio: Double, distance: Double) -> Double {
        ratio * (base + perMetre * distance)
    }

    /// Metres: the mean over where one can stand on the floor; nil where that is nowhere.
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

    /// Cells of two deviations, so that what lies beyond their neighbours hardly counts.
    private static func cell(_ point: Point, _ floor: Int32) -> Cell {
        Cell(
            floor: floor, x: Int64((point.x / (2 * nearMetres)).rounded(.down)),
            y: Int64((point.y / (2 * nearMetres)).rounded(.down)))
    }

    /// Least squares, held within what makes sense.
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
