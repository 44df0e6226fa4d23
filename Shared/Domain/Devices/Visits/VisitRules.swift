/// The rules by which a device is inside of a zone. The tolerances are those of omlox fences
/// (`exit_tolerance`, `tolerance_timeout`, `exit_delay`, `timeout`). Probabilities and the minimum
/// dwell are added, because a position here is a distribution and not a point. Groups of beacons
/// have a rule of their own, since no position is needed for them.
public struct VisitRules: Hashable, Sendable {
    /// The smallest probability of a zone with which a device enters it. It is above a half, so
    /// that one scan cannot enter two rooms.
    public var enterProbability: Double
    /// Below this probability the device may have left.
    public var leaveProbability: Double
    /// A shorter stay is no visit.
    public var minimumDwell: Duration
    /// The distance beyond the zone's outline that does not count as outside yet, in metres.
    public var exitTolerance: Double
    /// The longest time since the last scan inside for which `exitTolerance` applies.
    public var toleranceTimeout: Duration
    /// The time that a device must be outside before its visit ends.
    public var exitDelay: Duration
    /// After this time without a position a device's visits end.
    public var silence: Duration
    /// After this time a scan without any beacon of a group shows that the device has left the
    /// group. Beacons send every 0.1 to 1 s (visitor guide 2.5.1), and distant ones are missed now
    /// and then.
    public var groupSilence: Duration

    public init(
        enterProbability: Double = 0.6, leaveProbability: Double = 0.3,
        minimumDwell: Duration = .seconds(10), exitTolerance: Double = 1,
        toleranceTimeout: Duration = .seconds(30), exitDelay: Duration = .seconds(10),
        silence: Duration = .seconds(600), groupSilence: Duration = .seconds(10)
    ) {
        self.enterProbability = enterProbability
        self.leaveProbability = leaveProbability
        self.minimumDwell = minimumDwell
        self.exitTolerance = exitTolerance
        self.toleranceTimeout = toleranceTimeout
        self.exitDelay = exitDelay
        self.silence = silence
        self.groupSilence = groupSilence
    }
}
