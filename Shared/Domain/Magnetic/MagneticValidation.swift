public import Events

/// The result of a second walk along a route, in either direction. It measures how reliably the
/// route is found again.
public struct MagneticValidation: Hashable, Sendable {
    /// The largest mean error of a route's validation walk, in metres along the route: "typically
    /// less than two metres once stabilised" (CMU 3.4).
    static let mostMeanMetres = 2.0
    /// The largest mean error as a share of the route's length. On a short route even a guess would
    /// be within two metres.
    static let mostMeanShare = 1.0 / 8
    /// The largest mean belief that the walk was elsewhere.
    static let mostElsewhere = 0.5
    /// The metres walked before errors count: ten steps, after which a position has stabilised. A
    /// shorter route counts from half its length on.
    static let settlingMetres = 10 * MagneticMatcher.usualStepMetres

    /// The direction of the walk, found from its field.
    public var direction: MagneticDirection
    /// The mean error along the route after the first ten steps, in metres.
    public var meanMetres: Double
    public var percentile95Metres: Double
    /// The mean belief that the walker was not on the route, over the same ticks.
    public var elsewhere: Double
    /// Whether the route was found again well, and its field still is the recorded one.
    public var isReliable: Bool
    /// The doubt in the route after the walk (`RouteDoubt`).
    public var doubt = 0.0

    /// Matches a walk with the one route, without knowing where it began or in which direction it
    /// went.
    ///
    /// - Parameters:
    ///   - doubt: the doubt in the route before the walk.
    ///   - isRepeated: whether the doubt contains this walk. One that is sent twice counts once.
    /// - Throws: the fault of `CheckedWalk` or of `GravitySign`, for a walk that can't be used.
    public init(
        of profile: MagneticProfile, by walk: MagneticWalk, doubt: Double = 0,
        isRepeated: Bool = false
    ) throws(MagneticFault) {
        let truths: [(MagneticDirection, CheckedWalk)] = [
            (.forward, try CheckedWalk(walk, along: profile.path)),
            (.backward, try CheckedWalk(walk, along: profile.path, isBackward: true)),
        ]
        try GravitySign.check(truths[0].1, against: profile)
        let estimates = Self.follow(walk, profile)
        let length = profile.path.lengthMetres
        var best: MagneticValidation?
        for (direction, truth) in truths {
            let errors = Self.errors(estimates, truth, length, direction)
            guard !errors.isEmpty else { continue }
            let mean = errors.reduce(0, +) / Double(errors.count)
            if let best, best.meanMetres <= mean { continue }
            best = MagneticValidation(
                direction: direction, meanMetres: mean,
                percentile95Metres: errors.sorted()[(errors.count - 1) * 95 / 100],
                elsewhere: 0, isReliable: false)
        }
        // This default is never used: each checked walk has at least one tick after the settling.
        self =
            best
            ?? MagneticValidation(
                direction: .forward, meanMetres: length, percentile95Metres: length, elsewhere: 1,
                isReliable: false)
        elsewhere =
            estimates.isEmpty
            ? 1 : estimates.map(\.elsewhere).reduce(0, +) / Double(estimates.count)
        let direction = direction
        let followed = truths.first { $0.0 == direction }?.1
        self.doubt = doubt
        if let followed, !isRepeated {
            self.doubt = RouteDoubt.after(doubt, profile, followed, direction)
        }
        isReliable =
            meanMetres <= min(Self.mostMeanMetres, length * Self.mostMeanShare)
            && elsewhere <= Self.mostElsewhere && self.doubt <= RouteDoubt.limit
    }

    /// A validation with results that were measured before.
    public init(
        direction: MagneticDirection, meanMetres: Double, percentile95Metres: Double,
        elsewhere: Double, isReliable: Bool
    ) {
        self.direction = direction
        self.meanMetres = meanMetres
        self.percentile95Metres = percentile95Metres
        self.elsewhere = elsewhere
        self.isReliable = isReliable
    }

    /// The most probable candidate at the end of one tick.
    private struct Followed {
        var atMilliseconds: Int
        var arcMetres: Double
        var elsewhere: Double
    }

    private static func follow(_ walk: MagneticWalk, _ profile: MagneticProfile) -> [Followed] {
        let route = MatchableRoute(
            id: MagneticRouteID("validated"), floor: FloorID("validated"), profile: profile)
        var tracker = MagneticTracker(MagneticMatcher([route]))
        return tracker.follow(walk) { tracker, sample in
            let arc = tracker.candidates(limit: 1).first?.arcMetres ?? 0
            return Followed(
                atMilliseconds: sample.atMilliseconds, arcMetres: arc,
                elsewhere: tracker.belief.elsewhere)
        }
    }

    private static func errors(
        _ estimates: [Followed], _ truth: CheckedWalk, _ length: Double,
        _ direction: MagneticDirection
    ) -> [Double] {
        let settling = min(settlingMetres, length / 2)
        var next = 0
        var errors: [Double] = []
        for estimate in estimates {
            while next < truth.places.count,
                truth.places[next].atMilliseconds < estimate.atMilliseconds
            {
                next += 1
            }
            guard next < truth.places.count,
                truth.places[next].atMilliseconds == estimate.atMilliseconds,
                truth.places[next].walkedMetres > settling
            else { continue }
            let walked = truth.places[next].walkedMetres
            let arc = direction == .forward ? walked : length - walked
            errors.append(abs(estimate.arcMetres - arc))
        }
        return errors
    }
}
