public import Events

/// A valid magnetic route, ready to match walks with.
public struct MatchableRoute: Sendable {
    public var id: MagneticRouteID
    public var floor: FloorID
    public var profile: MagneticProfile
    /// The mean error along the route in its validation walk, in metres. It is part of every
    /// candidate's spread.
    public var errorMetres: Double
    /// The mean belief in the route during its validation walk. Candidates on the route are
    /// weighted by it.
    public var reliability: Double
    /// The time from which the route locates no device; nil for never.
    public var expiresAt: Timestamp?

    public init(
        id: MagneticRouteID, floor: FloorID, profile: MagneticProfile, errorMetres: Double = 0,
        reliability: Double = 1, expiresAt: Timestamp? = nil
    ) {
        self.id = id
        self.floor = floor
        self.profile = profile
        self.errorMetres = errorMetres
        self.reliability = reliability
        self.expiresAt = expiresAt
    }
}

/// Compares the magnetic field along a walk, tick by tick, with recorded routes.
///
/// It is a hidden Markov model, computed forwards. The walker is at a cell of a route, walks in one
/// of its two directions at one of a few paces, or is elsewhere. At each tick the pace may change a
/// little, and the walker may turn round, leave the route or join one. The measured field then
/// weighs each cell.
///
/// Each phone has a magnetism of its own, so its field differs from the recording phone's by an
/// offset. Each cell carries the offset that its walkers would have (`MagneticOffsets`).
///
/// It is the soft form of subsequence dynamic time warping. That method uses the one cheapest
/// warping; this one sums over all warpings, each weighted by the probability of its changes of
/// pace. Memory is one number for each state, however long the walk.
///
/// Sources: L. R. Rabiner, "A tutorial on hidden Markov models", Proc. IEEE 77, 1989, section III.
/// S. E. Kim et al. and B. Li et al. 2012 match indoor fields by single samples and by warping.
public struct MagneticMatcher: Sendable {
    static let tickMilliseconds = 250
    /// The paces in metres a second, for walkers whose steps nobody counts. Standing still is a
    /// pace too, because it cannot be detected without steps.
    static let paces: [Double] = [0, 0.5, 1, 1.5, 2]
    /// The step lengths, short to long, as multiples of the usual one. They replace the five paces
    /// where steps are counted.
    static let stepLengths: [Double] = [0.6, 0.8, 1, 1.2, 1.4]
    /// The mean length of a step on real phones, in metres (docs/accuracy.md, "Steps").
    public static let usualStepMetres = 0.6
    /// The probabilities that in one tick a pace changes to the next slower or the next faster one.
    /// A walker seldom stops, and soon starts again. All probabilities were chosen by hand and
    /// tried on simulated fields other than those of the tests.
    static let slower = [0, 0.002, 0.02, 0.05, 0.1]
    static let faster = [0.1, 0.05, 0.05, 0.03, 0]
    /// The probability that the length of a step changes, in either direction.
    static let stepLengthChange = 0.02
    static let turn = 0.002
    static let leave = 0.005
    static let enter = 0.02
    /// A route walked in one direction.
    struct Lane: Sendable {
        var route: Int
        var direction: MagneticDirection
        /// The features in the order of walking.
        var features: [FieldFeature]
        /// The index of the lane's first state.
        var offset: Int
    }

    public let routes: [MatchableRoute]
    let lanes: [Lane]
    let states: Int

    public init(_ routes: [MatchableRoute]) {
        self.routes = routes
        var lanes: [Lane] = []
        var offset = 0
        for (number, route) in routes.enumerated() {
            for direction in MagneticDirection.allCases {
                let features = route.profile.features
                let ordered = direction == .forward ? features : features.reversed()
                lanes.append(
                    Lane(
                        route: number, direction: direction, features: ordered, offset: offset))
                offset += ordered.count * Self.paces.count
            }
        }
        self.lanes = lanes
        states = offset
    }

    /// The belief at the start: the walker is on any route or, just as probably, elsewhere.
    public func beginning() -> MagneticBelief {
        MagneticBelief(
            chances: [Double](repeating: states > 0 ? 0.5 / Double(states) : 0, count: states),
            elsewhere: states > 0 ? 0.5 : 1, offsets: .unknown(cells: cells))
    }

    /// The number of cells of all lanes.
    var cells: Int { states / Self.paces.count }

    /// Advances the belief by one tick.
    ///
    /// - Parameters:
    ///   - steps: the steps made in the tick, as a fraction; nil where nobody counts them.
    ///   - feature: the field measured in the tick; nil where there was no sample.
    public func advance(_ belief: inout MagneticBelief, steps: Double?, _ feature: FieldFeature?) {
        // A walker without steps stays in place, and the same field must not be counted again.
        guard states > 0, steps != 0 else { return }
        var next = MagneticBelief(
            chances: [Double](repeating: 0, count: states), elsewhere: 0,
            offsets: .none(cells: cells, variance: belief.offsets.variance))
        next.offsets.drift()
        let gait = Gait(steps: steps)
        for lane in lanes.indices { move(lane, gait, belief, &next) }
        exchange(&next, belief.elsewhere)
        if let feature { weigh(&next, feature) }
        belief = next
    }

    /// Moves the belief along a lane; some walkers change pace or turn round. A cell's offsets
    /// become the sum over those who arrive, each times its probability.
    private func move(
        _ number: Int, _ gait: Gait, _ belief: MagneticBelief, _ next: inout MagneticBelief
    ) {
        let lane = lanes[number]
        let (count, paces) = (lane.features.count, Self.paces.count)
        // The lane with the same cells in the other direction, counted from its end.
        let mirror = lanes[number ^ 1].offset + (count - 1) * paces
        for pace in 0..<paces {
            let whole = Int(gait.cells[pace])
            let part = gait.cells[pace] - Double(whole)
            for cell in 0..<count {
                let from = lane.offset / paces + cell
                let chance = gait.mixed(belief.chances, lane.offset + cell * paces, pace)
                var share = chance * (1 - part)
                for target in (cell + whole)...(cell + whole + 1) {
                    if target < count {
                        let state = target * paces
                        let turned = share * Self.turn
                        next.chances[lane.offset + state + pace] += share - turned
                        next.chances[mirror - state + pace] += turned
                        next.offsets.add(
                            belief.offsets, from, share - turned, to: lane.offset / paces + target)
                        next.offsets.add(
                            belief.offsets, from, turned, to: mirror / paces - target)
                    } else {
                        // A walker who goes past the end has left the route.
                        next.elsewhere += share
                    }
                    share = chance * part
                }
            }
        }
    }

    /// Lets some walkers leave and join routes. One who joins has the mean offset of all.
    private func exchange(_ belief: inout MagneticBelief, _ elsewhere: Double) {
        let entering = elsewhere * Self.enter / Double(states)
        let paces = Self.paces.count
        let onRoutes = belief.chances.reduce(0, +)
        let (level, down) = belief.offsets.mean(of: onRoutes)
        for cell in 0..<cells {
            var total = 0.0
            for state in (cell * paces)..<((cell + 1) * paces) {
                belief.chances[state] = belief.chances[state] * (1 - Self.leave) + entering
                total += belief.chances[state]
            }
            let joining = Double(paces) * entering
            let (levels, downs) = (belief.offsets.level[cell], belief.offsets.down[cell])
            guard total > 0 else { continue }
            belief.offsets.level[cell] = (levels * (1 - Self.leave) + joining * level) / total
            belief.offsets.down[cell] = (downs * (1 - Self.leave) + joining * down) / total
        }
        belief.elsewhere += elsewhere * (1 - Self.enter) + onRoutes * Self.leave
    }
}

/// The probability of each place of the walker, of each direction and of each pace, after some
/// ticks.
public struct MagneticBelief: Hashable, Sendable {
    /// Ordered by lane, cell and pace.
    var chances: [Double]
    /// The probability that the walker is on none of the routes.
    public internal(set) var elsewhere: Double
    var offsets: MagneticOffsets
}
