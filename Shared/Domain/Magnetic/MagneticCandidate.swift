public import Events

/// A stretch of a route where the walker may be.
public struct MagneticCandidate: Hashable, Sendable {
    public var route: MagneticRouteID
    public var floor: FloorID
    public var direction: MagneticDirection
    /// Metres from the route's first point, also when the route is walked backward.
    public var arcMetres: Double
    /// The standard deviation along the route in metres, which includes the route's own measured
    /// error.
    public var spreadMetres: Double
    /// The probability that the walker is there. All candidates and the probability of being
    /// elsewhere sum up to 1 at most.
    public var weight: Double
}

extension MagneticMatcher {
    /// Cells within this many metres of a peak belong to its candidate.
    static let candidateReachMetres = 2.0

    /// The most probable stretches of all routes, the most probable first.
    ///
    /// - Parameters:
    ///   - limit: the most candidates to return.
    ///   - least: the smallest weight of a candidate.
    public func candidates(
        _ belief: MagneticBelief, limit: Int = 16, least: Double = 0.01
    ) -> [MagneticCandidate] {
        var found: [MagneticCandidate] = []
        for lane in lanes {
            var cells = cellChances(belief, lane)
            // The sum of the remaining cells bounds the weight of every further candidate.
            while cells.reduce(0, +) >= least, found.count < limit * lanes.count {
                guard let candidate = removePeak(&cells, lane) else { break }
                guard candidate.weight >= least else { break }
                found.append(candidate)
            }
        }
        found.sort { $0.weight > $1.weight }
        return Array(found.prefix(limit))
    }

    private func cellChances(_ belief: MagneticBelief, _ lane: Lane) -> [Double] {
        let paces = Self.paces.count
        return lane.features.indices.map { cell in
            let base = lane.offset + cell * paces
            return belief.chances[base..<(base + paces)].reduce(0, +)
        }
    }

    /// Removes the highest cell and those around it, and returns them as a candidate.
    private func removePeak(_ cells: inout [Double], _ lane: Lane) -> MagneticCandidate? {
        guard let peak = cells.indices.max(by: { cells[$0] < cells[$1] }) else { return nil }
        let reach = Int(Self.candidateReachMetres / MagneticProfile.cellMetres)
        let range = max(0, peak - reach)...min(cells.count - 1, peak + reach)
        let (profile, last) = (routes[lane.route].profile, cells.count - 1)
        var (weight, sum, squares) = (0.0, 0.0, 0.0)
        for cell in range {
            let arc = profile.arc(ofCell: lane.direction == .forward ? cell : last - cell)
            weight += cells[cell]
            sum += cells[cell] * arc
            squares += cells[cell] * arc * arc
            cells[cell] = 0
        }
        guard weight > 0 else { return nil }
        let mean = sum / weight
        let route = routes[lane.route]
        let variance =
            max(0, squares / weight - mean * mean) + route.errorMetres * route.errorMetres
        return MagneticCandidate(
            route: route.id, floor: route.floor, direction: lane.direction, arcMetres: mean,
            spreadMetres: variance.squareRoot(), weight: weight)
    }
}
