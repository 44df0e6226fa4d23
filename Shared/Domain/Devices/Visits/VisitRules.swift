/// When a device counts as inside of a zone. The tolerances are those of omlox fences
/// (`exit_tolerance`, `tolerance_timeout`, `exit_delay`, `timeout`); probabilities and the minimum
/// dwell come on top, because a position here is a distribution and not a point.
public struct VisitRules: Hashable, Sendable {
    /// From this probability of the zone on the device may have entered. Above a half, so that no
    /// two rooms can be entered with one scan.
    public var enterProbability: Double
    /// Below this the device may have left.
    public var leaveProbability: Double
    /// A stay that is shorter is no visit.
    public var minimumDwell: Duration
    /// Metres beyond the zone's outline that do not count as outside yet.
    public var exitTolerance: Double
    /// For no longer than this since the last scan inside.
    public var toleranceTimeout: Duration
    /// How long a device must be outside before its visit ends.
    public var exitDelay: Duration
    /// A device that is not located for longer has ended its visits.
    public var silence: Duration

    public init(
        enterProbability: Double = 0.6, leaveProbability: Double = 0.3,
        minimumDwell: Duration = .seconds(10), exitTolerance: Double = 1,
        toleranceTimeout: Duration = .seconds(30), exitDelay: Duration = .seconds(10),
        silence: Duration = .seconds(600)
    ) {
        self.enterProbability = enterProbability
        self.leaveProbability = leaveProbability
        self.minimumDwell = minimumDwell
        self.exitTolerance = exitTolerance
        self.toleranceTimeout = toleranceTimeout
        self.exitDelay = exitDelay
        self.silence = silence
    }
}
