public import Events

/// Follows one walker: it accepts samples and returns candidates. Its memory does not grow with the
/// walk.
public struct MagneticTracker: Sendable {
    /// After a longer time without samples the walker may be anywhere.
    static let longestSilenceMilliseconds = 5_000
    /// A sample this much earlier than the last one shows that the clock was set back. A smaller
    /// difference is a late sample, which is left out.
    static let clockSetBackMilliseconds = 1_000

    /// The time over which steps are counted. After a pause of this length the walker stands.
    static let stepWindowMilliseconds = 1_500
    static let mostSteps = 32
    /// Times outside of this range come from no clock.
    static let clock = -(1 << 60)...(1 << 60)

    private let matcher: MagneticMatcher
    public internal(set) var belief: MagneticBelief
    /// The start of the tick that is being filled; nil before the first sample.
    var tickBegan: Int?
    var newest = 0
    /// The times of the last steps; nil before the first step, because nobody may be counting.
    var steps: [Int]?
    /// The sum of the features in the tick that is being filled.
    var sum = FieldFeature(magnitude: 0, down: 0)
    var count = 0
    var countWithGravity = 0

    public init(_ matcher: MagneticMatcher) {
        self.matcher = matcher
        belief = matcher.beginning()
    }

    /// Adds the next sample; returns true when it ended a tick and the belief has changed. A sample
    /// whose field is not plausible, or whose time is outside of `clock`, is left out.
    public mutating func add(_ sample: MagneticSample) -> Bool {
        let at = sample.atMilliseconds
        guard let feature = FieldFeature(sample), Self.clock.contains(at) else {
            return false
        }
        guard let began = tickBegan, at - newest <= Self.longestSilenceMilliseconds,
            newest - at <= Self.clockSetBackMilliseconds
        else {
            belief = matcher.beginning()
            start(at: at)
            add(feature, at)
            return false
        }
        guard at > newest else { return false }
        let ticks = (at - began) / MagneticMatcher.tickMilliseconds
        if ticks > 0 {
            for tick in 1...ticks {
                let end = began + tick * MagneticMatcher.tickMilliseconds
                // The walker may have walked during a gap without samples.
                matcher.advance(&belief, steps: stepsInTick(before: end), tick == 1 ? mean : nil)
            }
            start(at: began + ticks * MagneticMatcher.tickMilliseconds)
        }
        add(feature, at)
        return ticks > 0
    }

    /// Adds a complete walk, with its steps in order among its samples, and calls `ask` at the end
    /// of each tick.
    public mutating func follow<Answer>(
        _ walk: MagneticWalk, _ ask: (Self, MagneticSample) -> Answer
    ) -> [Answer] {
        var answers: [Answer] = []
        var nextStep = 0
        if !walk.stepsAtMilliseconds.isEmpty { countSteps() }
        for sample in walk.samples {
            while nextStep < walk.stepsAtMilliseconds.count,
                walk.stepsAtMilliseconds[nextStep] <= sample.atMilliseconds
            {
                add(stepAtMilliseconds: walk.stepsAtMilliseconds[nextStep])
                nextStep += 1
            }
            if add(sample) { answers.append(ask(self, sample)) }
        }
        return answers
    }

    /// Adds the time of a step. After the first one, the walker is assumed to stand while there are
    /// no steps.
    public mutating func add(stepAtMilliseconds step: Int) {
        var kept = steps ?? []
        if let last = kept.last, step <= last { kept.removeAll() }
        if kept.count == Self.mostSteps { kept.removeFirst() }
        kept.append(step)
        steps = kept
    }

    /// Declares that steps are counted, though none has been made yet.
    mutating func countSteps() { steps = steps ?? [] }

    /// Declares that steps are no longer counted.
    mutating func stopCountingSteps() { steps = nil }

    /// The number of steps in a tick at the mean rate around it, as a fraction.
    private func stepsInTick(before end: Int) -> Double? {
        guard let steps else { return nil }
        let window = (end &- Self.stepWindowMilliseconds)..<end
        let share =
            Double(MagneticMatcher.tickMilliseconds) / Double(Self.stepWindowMilliseconds)
        return Double(steps.count { window.contains($0) }) * share
    }

    public func candidates(limit: Int = 16) -> [MagneticCandidate] {
        matcher.candidates(belief, limit: limit)
    }

    private mutating func start(at began: Int) {
        tickBegan = began
        sum = FieldFeature(magnitude: 0, down: 0)
        (count, countWithGravity) = (0, 0)
    }

    private mutating func add(_ feature: FieldFeature, _ at: Int) {
        newest = at
        sum.magnitude += feature.magnitude
        count += 1
        guard let down = feature.down else { return }
        sum.down = (sum.down ?? 0) + down
        countWithGravity += 1
    }

    private var mean: FieldFeature? {
        guard count > 0 else { return nil }
        let down = countWithGravity == count ? (sum.down ?? 0) / Double(count) : nil
        return FieldFeature(magnitude: sum.magnitude / Double(count), down: down)
    }
}
