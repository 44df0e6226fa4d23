import Glibc

/// The likelihood of an air pressure, by the floors before and after it.
struct PressureClimb: Sendable {
    /// The deviation of an air pressure from its reference, in metres. It is an assumption: 0.4 m
    /// of noise, and 0.7 m since people hold a phone now higher, now lower. The noise is 0.05 hPa;
    /// the data sheet of Bosch's BMP280 promises differences within 0.12 hPa.
    static let deviationMetres: Float = 0.8
    /// The fastest change by weather, in metres a second: 2 hPa an hour. The Met Office's shipping
    /// forecast calls 6 hPa in three hours the limit to "very rapidly".
    static let weatherMetresPerSecond: Float = 2 / 0.12 / 3_600
    /// The likelihood of any air pressure, relative to that of one that fits. Doors, ventilation
    /// and shafts of lifts change it too, and none may move a track away.
    static let strayShare: Float = 0.05
    /// A reference follows the air pressure with this time constant, and by no difference larger
    /// than `followedMetres`. So it follows the weather, but hardly a person on stairs.
    static let followingSeconds: Float = 60
    static let followedMetres: Float = 1

    let now: PressureHeight
    let before: TrackPressure
    /// The time since the air pressure before.
    let seconds: Float
    /// For each floor after, the floor from where most of its belief came, and that belief. Empty
    /// without an air pressure before.
    private(set) var origins: [(floor: Int32, weight: Float)] = []

    /// Begins with a first air pressure, which shows nothing.
    init(_ now: PressureHeight) {
        (self.now, before, seconds) = (now, TrackPressure(), 0)
    }

    /// - Parameter before: the pressures of the state, which may have none or are too old.
    init(_ now: PressureHeight, after before: TrackPressure, floors: Int) {
        let elapsed = (Double(now.at) - Double(before.at)) / 1e6
        let isFresh =
            !before.references.isEmpty && 0...TrackPressure.longestSeconds ~= elapsed
        self.now = now
        self.before = isFresh ? before : TrackPressure()
        seconds = isFresh ? Float(elapsed) : 0
        origins = isFresh ? Array(repeating: (-1, 0), count: floors) : []
    }

    /// Whether the air pressure can be compared with one before it.
    var isInformed: Bool { !origins.isEmpty }

    /// The likelihood of the air pressure in heights above the ground floor, for a person who was
    /// on the floor before. One that fits a single height has 1.
    ///
    /// All heights are as likely, and the likelihood is their mean. A person on stairs may have any
    /// of many air pressures, so each of them says less. With that of the best height, noise would
    /// move devices at rest to the stairs.
    ///
    /// - Parameter isSameBuilding: whether the person was in the heights' building before.
    func likelihood(
        of heights: ClosedRange<Float>, from floor: Int, isSameBuilding: Bool
    ) -> Float {
        guard let reference = before.reference(of: floor) else { return 1 }
        let height = now.metres - reference
        let own = Self.deviationMetres * Self.deviationMetres
        let weather = Self.weatherMetresPerSecond * seconds
        let slope = isSameBuilding ? 0 : FloorHeights.slopeMetres
        let variance = own + weather * weather + slope * slope
        let fitting =
            own.squareRoot() * Self.meanDensity(of: height, from: heights, variance: variance)
        return Self.strayShare + (1 - Self.strayShare) * fitting
    }

    /// The mean density of a height around all those of a range, in multiples of the largest
    /// density for a variance of 1.
    private static func meanDensity(
        of height: Float, from heights: ClosedRange<Float>, variance: Float
    ) -> Float {
        let width = heights.upperBound - heights.lowerBound
        guard width > 0 else {
            let miss = height - heights.lowerBound
            return exp(-miss * miss / (2 * variance)) / variance.squareRoot()
        }
        let scale = 1 / (2 * variance).squareRoot()
        let upper = erf((heights.upperBound - height) * scale)
        let lower = erf((heights.lowerBound - height) * scale)
        return (Float.pi / 2).squareRoot() / width * (upper - lower)
    }

    /// Notes the belief that came to a floor from another or from itself.
    mutating func note(_ weight: Float, from: Int, to: Int) {
        if weight > origins[to].weight { origins[to] = (Int32(from), weight) }
    }

    /// The references after the scan: those of the floors that still have a belief.
    func after(
        _ beliefs: [TrackState.Belief], graph: WalkableGraph, _ heights: FloorHeights
    ) -> TrackPressure {
        var shares = [Float](repeating: 0, count: graph.floors.count)
        for belief in beliefs { shares[Int(graph.cells[belief.cell].floor)] += belief.weight }
        let floors = shares.indices.filter { shares[$0] > 0 }
            .sorted { (shares[$1], $0) < (shares[$0], $1) }
        return TrackPressure(
            at: now.at,
            references: floors.prefix(TrackPressure.most).map { floor in
                TrackPressure.Reference(floor: Int32(floor), metres: reference(floor, heights))
            })
    }

    private func reference(_ floor: Int, _ heights: FloorHeights) -> Float {
        let own = now.metres - heights.metres[floor]
        guard isInformed, origins[floor].floor >= 0,
            heights.areInOneBuilding(Int(origins[floor].floor), floor),
            let reference = before.reference(of: Int(origins[floor].floor))
        else { return own }
        let gap = max(-Self.followedMetres, min(Self.followedMetres, own - reference))
        return reference + (1 - exp(-seconds / Self.followingSeconds)) * gap
    }
}
