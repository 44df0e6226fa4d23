import Geometry

/// What a coach knows of a floor while it chooses.
struct CoachState {
    /// A point of the floor where errors count, and where one may stand.
    struct Spot {
        let point: Point
        let ratio: Double
        /// Metres to the nearest survey, as `SurveyedPlaces` has it.
        var distance: Double
    }

    private(set) var spots: [Spot]
    private let perMetre: Double
    /// For each spot its gain, or one from before other spots were surveyed, which is no less.
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

    /// As if the spot had been surveyed.
    mutating func survey(_ spot: Int) {
        let point = spots[spot].point
        for other in spots.indices {
            let distance = spots[other].point.distance(to: point)
            spots[other].distance = min(spots[other].distance, distance)
        }
        for other in bounds.indices { bounds[other].isFresh = false }
    }

    /// Metres by which the error at the spot itself falls.
    func gainHere(_ spot: Int) -> Double { drop(at: spot, by: 0) }

    /// Metres by which errors fall, over all spots.
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
