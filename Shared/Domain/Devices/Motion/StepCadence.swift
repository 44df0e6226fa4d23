public import Events

/// How fast steps follow each other, and the period that this is, as time goes on.
public struct StepCadence: Sendable {
    /// Steps older than this are forgotten.
    static let windowMicroseconds: Int64 = 3_000_000
    /// The most steps that are remembered: no one makes more than ten in three seconds by far.
    static let mostSteps = 32

    private var steps: [Int64] = []
    public private(set) var period = MotionPeriod.still

    public init() {}

    /// Takes the time of a step in. Steps come in order; one that is not after the last begins
    /// anew.
    public mutating func take(stepAtMicroseconds step: Int64) {
        if let last = steps.last, step <= last { steps.removeAll(keepingCapacity: true) }
        if steps.count == Self.mostSteps { steps.removeFirst() }
        steps.append(step)
    }

    /// Steps per minute at a moment: of the last three seconds the mean rate from the first step to
    /// the last, or the rate that the pause since the last would be, if that is less. One step
    /// alone counts as one in the window.
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

    /// The period at a moment, with hysteresis: see `MotionPeriod.next`.
    public mutating func update(atMicroseconds now: Int64) -> MotionPeriod {
        period = period.next(stepsPerMinute: stepsPerMinute(atMicroseconds: now))
        return period
    }
}
