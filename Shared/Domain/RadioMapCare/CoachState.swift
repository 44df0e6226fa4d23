import Geometry

/// The state of a floor while a coach chooses places for surveys.
struct CoachState {
    /// A point of the floor where people can stand. Errors are counted there.
    struct Spot {
        let point: Point
        let ratio: Double
        /// Metres to the nearest survey, measured like `SurveyedPlaces`.
        var distance: Double
    }

    private(set) var spots: [Spot]
    private let perMetre: Double
    /// An upper bound of each spot's gain: its gain, or its gain before other spots were surveyed.
    private var bounds: [(gain: Double, isFresh: Bool)]

    init(_ spots: [Spot], perMetre: Double) {
        self.spots = spots
        self.perMetre = perMetre
        bounds = [(gain: Double, isFresh: Bool)](repeating: (.infinity, false), count: spots.count)
    }

    /// The spot with the largest gain in metres, summed over all spots; the first of equals.
    mutating func best() -> (spot: Int, gain: Double)? {
        for spot in spots.indices where bounds[spot].gain == .infinity {
            bounds[spot] = (gain(of: spot), true)
        }
        while let best = bounds.indices.max(by: { isLess($0, $1) }) {
            if bounds[best].isFresh { return (best, bounds[best].gain) }
            bounds[best] = (gain(of: best), true)
        }
        return nil
    }

    private func isLess(_ left: Int, _ right: Int) -> Bool {
        (bounds[left].gain, right) < (bounds[right].gain, left)
    }

    /// Updates the state as if the spot had been surveyed.
    mutating func survey(_ spot: Int) {
        let point = spots[spot].point
        for other in spots.indices {
            let distance = spots[other].point.distance(to: point)
            spots[other].distance = min(spots[other].distance, distance)
        }
        for other in bounds.indices { bounds[other].isFresh = false }
    }

    /// The reduction of the error at the spot itself, in metres.
    func gainHere(_ spot: Int) -> Double { drop(at: spot, by: 0) }

    /// The reduction of errors in metres, summed over all spots.
    func gain(of spot: Int) -> Double {
        let point = spots[spot].point
        return spots.indices.reduce(0) { sum, other in
            sum + drop(at: other, by: spots[other].point.distance(to: point))
        }
    }

    private func drop(at spot: Int, by distance: Double) -> Double {
        spots[spot].ratio * perMetre * max(0, spots[spot].distance - distance)
    }
}
