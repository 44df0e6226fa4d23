public import Events
public import Geometry

/// The errors that are expected all over a floor, and where more beacons would lower them most.
public struct ExpectedErrors: Hashable, Sendable {
    /// A point where people can stand.
    public struct Spot: Hashable, Sendable {
        /// Metres in the site's frame.
        public var point: Point
        /// Metres.
        public var error: Double
    }

    /// A place for a beacon.
    public struct BeaconAdvice: Hashable, Sendable {
        public var point: Point
        public var room: RoomID?
        /// The reduction of the floor's mean expected error in metres, with the beacons before.
        public var gain: Double
    }

    public var floor: FloorID
    /// The distance between neighbouring spots, in metres.
    public var stepMetres: Double
    public var spots: [Spot]
    /// The best place first.
    public var beacons: [BeaconAdvice]
}

/// Chooses places for beacons.
///
/// Who receives a beacon best is near it. So a beacon limits the error at a point to the distance
/// between both, in the worst case, and to `leastMetres` beside it. As far away as `reachMetres` it
/// helps no more, since it may not be received best there. The gain of a place is the sum of what
/// it takes off the errors that are expected without it. Places are chosen one after the other, as
/// `SurveyCoach` does.
struct BeaconChoice {
    static let count = 3
    /// The error that remains beside a beacon, in metres.
    static let leastMetres = 1.0
    static let reachMetres = 8.0
    /// The smallest gain of the floor's mean error that is worth a beacon, in metres.
    static let leastGain = 0.01
    /// Every so many spots are candidates, so that a large floor is not slow.
    static let mostCandidates = 500

    private(set) var errors: [Double]
    let points: [Point]

    init(_ spots: [ExpectedErrors.Spot]) {
        points = spots.map(\.point)
        errors = spots.map(\.error)
    }

    /// The place with the largest gain and the gain in metres of the mean error; nil if none is
    /// worth a beacon. The first of equals.
    mutating func next() -> (spot: Int, gain: Double)? {
        let every = max(1, points.count / Self.mostCandidates)
        var best: (spot: Int, gain: Double)?
        for spot in stride(from: 0, to: points.count, by: every) {
            let gain = points.indices.reduce(0) { $0 + drop(at: $1, by: spot) }
            if gain > (best?.gain ?? 0) { best = (spot, gain) }
        }
        guard let best, best.gain / Double(points.count) >= Self.leastGain else { return nil }
        for point in points.indices { errors[point] -= drop(at: point, by: best.spot) }
        return (best.spot, best.gain / Double(points.count))
    }

    private func drop(at point: Int, by beacon: Int) -> Double {
        let distance = points[point].distance(to: points[beacon])
        guard distance <= Self.reachMetres else { return 0 }
        return max(0, errors[point] - max(Self.leastMetres, distance))
    }
}
