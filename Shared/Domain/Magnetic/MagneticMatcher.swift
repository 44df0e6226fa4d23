public import Events
import Glibc

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

    public init(
        id: MagneticRouteID, floor: FloorID, profile: MagneticProfile, errorMetres: Double = 0,
        reliability: Double = 1
    ) {
        self.id = id
        self.floor = floor
        self.profile = profile
        self.errorMetres = errorMetres
        self.reliability = reliability
    }
}

/// Compares the magnetic field along a walk, tick by tick, with recorded routes.
///
/// It is a hidden Markov model, computed forwards. The walker is at a cell of a route, walks in one
/// of its two directions at one of a few paces, or is elsewhere. At each tick the pace may change a
/// little, and the walker may turn round, leave the route or join one. The measured field then
/// weighs each cell.
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
    /// The deviation of readings at one place between walks, in microtesla. It comes from noise,
    /// another height of the hand, and half a step to the side.
    static let spreadMicrotesla = 2.5
    /// The exponent of each tick's likelihood. It is below 1, because the errors of successive
    /// ticks are alike.
    static let temper = 0.5
    /// The smallest likelihood of a reading on a route, as a share of the likelihood of a perfect
    /// one.
    static let outlier = 0.01
    /// Elsewhere, the strength of the field is uniform over a range of this width in microtesla.
    static let elsewhereMicrotesla = 60.0

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
            elsewhere: states > 0 ? 0.5 : 1)
    }

    /// Advances the belief by one tick.
    ///
    /// - Parameters:
    ///   - steps: the steps made in the tick, as a fraction; nil where nobody counts them.
    ///   - feature: the field measured in the tick; nil where there was no sample.
    public func advance(_ belief: inout MagneticBelief, steps: Double?, _ feature: FieldFeature?) {
        // A walker without steps stays in place, and the same field must not be counted again.
        guard states > 0, steps != 0 else { return }
        var next = MagneticBelief(chances: [Double](repeating: 0, count: states), elsewhere: 0)
        let gait = Gait(steps: steps)
        for lane in lanes.indices { move(lane, gait, belief, &next) }
        exchange(&next, belief.elsewhere)
        if let feature { weigh(&next, feature) }
        belief = next
    }

    /// Moves the belief along a lane; some walkers change pace or turn round.
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
                let chance = gait.mixed(belief.chances, lane.offset + cell * paces, pace)
                var share = chance * (1 - part)
                for target in (cell + whole)...(cell + whole + 1) {
                    if target < count {
                        let state = target * paces
                        next.chances[lane.offset + state + pace] += share * (1 - Self.turn)
                        next.chances[mirror - state + pace] += share * Self.turn
                    } else {
                        // A walker who goes past the end has left the route.
                        next.elsewhere += share
                    }
                    share = chance * part
                }
            }
        }
    }

    private func exchange(_ belief: inout MagneticBelief, _ elsewhere: Double) {
        let entering = elsewhere * Self.enter / Double(states)
        var left = 0.0
        for state in belief.chances.indices {
            left += belief.chances[state] * Self.leave
            belief.chances[state] = belief.chances[state] * (1 - Self.leave) + entering
        }
        belief.elsewhere += elsewhere * (1 - Self.enter) + left
    }

    private func weigh(_ belief: inout MagneticBelief, _ feature: FieldFeature) {
        let paces = Self.paces.count
        var total = 0.0
        for lane in lanes {
            for (cell, expected) in lane.features.enumerated() {
                let likelihood = Self.likelihood(of: feature, expected: expected)
                for state in (lane.offset + cell * paces)..<(lane.offset + (cell + 1) * paces) {
                    belief.chances[state] *= likelihood
                    total += belief.chances[state]
                }
            }
        }
        belief.elsewhere *= Self.elsewhereLikelihood(feature)
        total += belief.elsewhere
        // The outlier share keeps every likelihood above zero, so the total can't become zero.
        for state in belief.chances.indices { belief.chances[state] /= total }
        belief.elsewhere /= total
    }

    /// The likelihood of a feature where another one is expected, relative to that of a perfect
    /// match; at most 1.
    static func likelihood(of feature: FieldFeature, expected: FieldFeature) -> Double {
        guard let level = feature.level, let down = feature.down,
            let expectedLevel = expected.level, let expectedDown = expected.down
        else { return oneLikelihood(feature.magnitude - expected.magnitude) }
        return oneLikelihood(level - expectedLevel) * oneLikelihood(down - expectedDown)
    }

    private static func oneLikelihood(_ difference: Double) -> Double {
        let ratio = difference / spreadMicrotesla
        return pow(outlier + (1 - outlier) * exp(-ratio * ratio / 2), temper)
    }

    /// The likelihood of a feature for a walker who is elsewhere. It is the uniform density over
    /// the wide range, relative to the normal density at its peak.
    private static func elsewhereLikelihood(_ feature: FieldFeature) -> Double {
        let one = pow(
            spreadMicrotesla * (2 * Double.pi).squareRoot() / elsewhereMicrotesla, temper)
        return feature.down == nil ? one : one * one
    }
}

/// The probability of each place of the walker, of each direction and of each pace, after some
/// ticks.
public struct MagneticBelief: Hashable, Sendable {
    /// Ordered by lane, cell and pace.
    var chances: [Double]
    /// The probability that the walker is on none of the routes.
    public internal(set) var elsewhere: Double
}
