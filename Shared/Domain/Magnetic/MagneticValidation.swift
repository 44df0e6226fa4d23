public import Events

/// How well a route was found again on a second walk along it, in either direction: its measured
/// reliability.
public struct MagneticValidation: Hashable, Sendable {
    /// A route serves only when its own validation walk was followed as closely as this, in metres
    /// along the route: "typically less than two metres once stabilised" (CMU 3.4).
    static let mostMeanMetres = 2.0
    /// And in parts of its length: of a short route a guess would be near enough.
    static let mostMeanShare = 1.0 / 8
    /// The walk seemed to be elsewhere for at most so much of the time.
    static let mostElsewhere = 0.5
    /// Metres walked before errors count, at most: ten steps, after which a position has
    /// stabilised; half of a route that is shorter than two of these.
    static let settlingMetres = 10 * MagneticMatcher.usualStepMetres

    /// Which way the walk went, as its field says.
    public var direction: MagneticDirection
    /// Of the error along the route over the ticks after the first ten steps, in metres.
    public var meanMetres: Double
    public var percentile95Metres: Double
    /// Mean belief, over the same ticks, that the walker was not on the route.
    public var elsewhere: Double
    public var isReliable: Bool

    /// Matches a walk with the one route, knowing nothing of where it began or which way it went.
    ///
    /// Throws what `CheckedWalk` throws for a walk that can't be used.
    public init(of profile: MagneticProfile, by walk: MagneticWalk) throws(MagneticFault) {
        let estimates = Self.follow(walk, profile)
        let truths: [(MagneticDirection, CheckedWalk)] = [
            (.forward, try CheckedWalk(walk, along: profile.path)),
            (.backward, try CheckedWalk(walk, along: profile.path, isBackward: true)),
        ]
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
        // A walk of one tick past the settling is all that is needed, and each checked walk has
        // that.
        self =
            best
            ?? MagneticValidation(
                direction: .forward, meanMetres: length, percentile95Metres: length, elsewhere: 1,
                isReliable: false)
        elsewhere =
            estimates.isEmpty
            ? 1 : estimates.map(\.elsewhere).reduce(0, +) / Double(estimates.count)
        isReliable =
            meanMetres <= min(Self.mostMeanMetres, length * Self.mostMeanShare)
            && elsewhere <= Self.mostElsewhere
    }

    /// With measures that were taken before.
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

    /// What a tick's likeliest candidate said.
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
