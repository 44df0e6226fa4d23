public import Events

/// The rate of a person's steps over time, and the motion period that it means.
public struct StepCadence: Sendable {
    /// Steps older than this are forgotten.
    static let windowMicroseconds: Int64 = 3_000_000
    /// The most steps that are remembered. Nobody makes more than about ten in three seconds.
    static let mostSteps = 32

    private var steps: [Int64] = []
    public private(set) var period = MotionPeriod.still

    public init() {}

    /// Adds the time of a step. Steps must come in order; one that is not later than the last
    /// starts again.
    public mutating func add(stepAtMicroseconds step: Int64) {
        if let last = steps.last, step <= last { steps.removeAll(keepingCapacity: true) }
        if steps.count == Self.mostSteps { steps.removeFirst() }
        steps.append(step)
    }

    /// The rate at a moment in steps per minute. It is the mean rate from the first to the last
    /// step of the last three seconds. If the pause since the last step means a lower rate, that is
    /// used. A single step counts as one in three seconds.
    public mutating func stepsPerMinute(atMicroseconds now: Int64) -> Double {
        steps.removeAll {
            now &- $0 > Self.windowMicroseconds
        }
        guard let first = steps.first, let last = steps.last else { return 0 }
        guard steps.count > 1 else { return 60e6 / Double(Self.windowMicroseconds) }
        let mean = Double(steps.count - 1) / Double(last - first)
        let pause = now > last ? 1 / Double(now - last) : .infinity
        return 60e6 * min(mean, pause)
    }

    /// Updates the period for a moment, with hysteresis (see `MotionPeriod.next`).
    public mutating func update(atMicroseconds now: Int64) -> MotionPeriod {
        period = period.next(stepsPerMinute: stepsPerMinute(atMicroseconds: now))
        return period
    }
}
