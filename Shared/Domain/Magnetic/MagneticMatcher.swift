public import Events
import Glibc

/// A route that walks are matched against.
public struct MatchableRoute: Sendable {
    public var id: MagneticRouteID
    public var floor: FloorID
    public var profile: MagneticProfile
    /// Metres: the mean error along in its validation walk, which is in the spread of every
    /// candidate.
    public var errorMetres: Double
    /// The mean belief in the route while it was walked for its validation: what a belief in it is
    /// worth.
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

/// Matches the field that a walker feels, tick by tick, with routes.
///
/// A hidden Markov model, computed forwards: the walker is at a cell of a route, goes one of the
/// two ways at one of a few paces, or is elsewhere. At each tick the pace may change a little, the
/// walker turn round, leave the route or come onto one; what is felt then speaks for each cell. It
/// is the soft form of subsequence dynamic time warping: where that takes the one cheapest warping,
/// this sums over all, each weighted by how likely the change of pace is (L. R. Rabiner, "A
/// tutorial on hidden Markov models", Proc. IEEE 77, 1989, section III; S. E. Kim et al. and B. Li
/// et al. 2012 match indoor fields by single samples and by warping). Memory is one number for each
/// state, however long the walk.
public struct MagneticMatcher: Sendable {
    static let tickMilliseconds = 250
    /// Metres a second of each pace, where steps are not known. Nobody is known to stand still
    /// then, and so standing is a pace too.
    static let paces: [Double] = [0, 0.5, 1, 1.5, 2]
    /// What a step's length is of a usual one, for the same five paces where steps are known: short
    /// to long.
    static let stepLengths: [Double] = [0.6, 0.8, 1, 1.2, 1.4]
    /// Metres; the mean on real phones (docs/accuracy.md, "Steps").
    public static let usualStepMetres = 0.6
    /// Chances that in one tick a pace changes to the next slower and the next faster: a walker
    /// seldom stops, and starts again soon. All chances were chosen by hand and tried on simulated
    /// fields other than those of the tests.
    static let slower = [0, 0.002, 0.02, 0.05, 0.1]
    static let faster = [0.1, 0.05, 0.05, 0.03, 0]
    /// The same of the length of a step, either way.
    static let stepLengthChange = 0.02
    static let turn = 0.002
    static let leave = 0.005
    static let enter = 0.02
    /// How far readings of one place differ between walks, in microtesla: noise, another height of
    /// the hand, half a step to the side.
    static let spreadMicrotesla = 2.5
    /// Ticks that follow each other err together, and so each counts as part of an independent one.
    static let temper = 0.5
    /// How strange a reading can be and still be of the route, as a share of a likely one.
    static let outlier = 0.01
    /// Where the walker is elsewhere, each microtesla of a range as wide is equally likely.
    static let elsewhereMicrotesla = 60.0

    /// A route walked one way.
    struct Lane: Sendable {
        var route: Int
        var direction: MagneticDirection
        /// In the order of walking.
        var features: [FieldFeature]
        /// Of its first state.
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

    /// Nothing known: anywhere on the routes or, as likely, elsewhere.
    public func beginning() -> MagneticBelief {
        MagneticBelief(
            chances: [Double](repeating: states > 0 ? 0.5 / Double(states) : 0, count: states),
            elsewhere: states > 0 ? 0.5 : 1)
    }

    /// One tick later.
    ///
    /// - Parameters:
    ///   - steps: how many were made in the tick, in parts of one too; nil where nobody counts
    ///     them.
    ///   - feature: what was felt in it; nil where nothing was.
    public func advance(_ belief: inout MagneticBelief, steps: Double?, _ feature: FieldFeature?) {
        // Who stands stays, and the field of the one place would only be counted again.
        guard states > 0, steps != 0 else { return }
        var next = MagneticBelief(chances: [Double](repeating: 0, count: states), elsewhere: 0)
        let gait = Gait(steps: steps)
        for lane in lanes.indices { move(lane, gait, belief, &next) }
        exchange(&next, belief.elsewhere)
        if let feature { weigh(&next, feature) }
        belief = next
    }

    /// Walks on along a lane, its walkers' paces changed, some of them turned.
    private func move(
        _ number: Int, _ gait: Gait, _ belief: MagneticBelief, _ next: inout MagneticBelief
    ) {
        let lane = lanes[number]
        let (count, paces) = (lane.features.count, Self.paces.count)
        // The lane of the same cells the other way, counted from its end.
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
                        // Past the end the walker has left the route.
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
        // Outliers keep every likelihood above zero, so the total can't vanish.
        for state in belief.chances.indices { belief.chances[state] /= total }
        belief.elsewhere /= total
    }

    /// How likely a feature is where another one is expected, against one just as expected: at
    /// most 1.
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

    /// The same for a walker of whom no field is expected: the density of the wide range against
    /// that of the normal distribution at its peak.
    private static func elsewhereLikelihood(_ feature: FieldFeature) -> Double {
        let one = pow(
            spreadMicrotesla * (2 * Double.pi).squareRoot() / elsewhereMicrotesla, temper)
        return feature.down == nil ? one : one * one
    }
}

/// Where a walker may be, on which routes and how fast: what a matcher knows after some ticks.
public struct MagneticBelief: Hashable, Sendable {
    /// For each lane, cell and pace.
    var chances: [Double]
    /// That the walker is on none of the routes.
    public internal(set) var elsewhere: Double
}
