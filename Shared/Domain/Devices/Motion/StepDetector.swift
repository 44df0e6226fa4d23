/// Turns accelerometer samples into steps, one sample at a time.
///
/// Each step lifts the body, so the strength of the acceleration goes up and down once. The
/// strength does not depend on how the device is held. It is brought to 50 Hz. Its mean of 120 ms
/// less its mean of 1.5 s, which removes gravity, must rise above a threshold and fall again.
/// Before the next step it must go below zero, and two steps are at least 320 ms apart.
///
/// The constants were set by hand before any trace was looked at. A peak detector of this kind is
/// described by A. Brajdic and R. Harle, "Walk detection and step counting on unconstrained
/// smartphones", UbiComp 2013.
public struct StepDetector: Sendable {
    /// The time grid to which samples of any rate are brought.
    static let periodMicroseconds: Int64 = 20_000
    static let smoothCount = 6
    static let gravityCount = 75
    /// In metres per second squared.
    static let threshold = 0.7
    static let fall = 0.4
    static let swing = -0.2
    static let shortestStepMicroseconds: Int64 = 320_000
    /// After a longer gap between two samples the detector starts again.
    static let longestGapMicroseconds: Int64 = 250_000
    /// A sample this much earlier than the last one shows that the clock was set back. A smaller
    /// difference is a late sample, which is left out.
    static let clockSetBackMicroseconds: Int64 = 1_000_000
    /// The range of times. No clock exceeds it, and differences of such times can't overflow.
    static let times: ClosedRange<Int64> = -(1 << 62)...(1 << 62)
    /// Ten times gravity; phones measure up to four or eight times.
    static let strongestMetresPerSecondSquared = 98.1

    private var last: (atMicroseconds: Int64, magnitude: Double)?
    private var gridMicroseconds: Int64 = 0
    private var smooth = CausalMean(count: smoothCount)
    private var gravity = CausalMean(count: gravityCount)
    private var isArmed = true
    private var peak: (atMicroseconds: Int64, height: Double)?
    private var lastStepMicroseconds: Int64?

    public init() {}

    /// Adds the next sample and returns the times of the steps that it completes, in microseconds.
    /// A step is detected some 100 ms after its peak. A sample that is not a number, or too strong
    /// to be true, is left out.
    public mutating func add(_ sample: AccelerometerSample) -> [Int64] {
        let magnitude = sample.magnitude
        guard magnitude <= Self.strongestMetresPerSecondSquared,
            Self.times.contains(sample.atMicroseconds)
        else { return [] }
        guard let last else {
            begin(at: sample.atMicroseconds, magnitude)
            return []
        }
        let gap = sample.atMicroseconds - last.atMicroseconds
        if gap > Self.longestGapMicroseconds || gap < -Self.clockSetBackMicroseconds {
            begin(at: sample.atMicroseconds, magnitude)
            return []
        }
        guard gap > 0 else { return [] }
        var steps: [Int64] = []
        while gridMicroseconds <= sample.atMicroseconds {
            let share = Double(gridMicroseconds - last.atMicroseconds) / Double(gap)
            advance(last.magnitude + share * (magnitude - last.magnitude), &steps)
        }
        self.last = (sample.atMicroseconds, magnitude)
        return steps
    }

    private mutating func begin(at microseconds: Int64, _ magnitude: Double) {
        smooth.forget()
        gravity.forget()
        isArmed = true
        peak = nil
        // After a pause, or by another clock, the time of the last step is of no use.
        lastStepMicroseconds = nil
        last = (microseconds, magnitude)
        gridMicroseconds = microseconds
        var steps: [Int64] = []
        advance(magnitude, &steps)
    }

    /// Processes one point of the time grid.
    private mutating func advance(_ magnitude: Double, _ steps: inout [Int64]) {
        let at = gridMicroseconds
        gridMicroseconds += Self.periodMicroseconds
        let height = smooth.add(magnitude) - gravity.add(magnitude)
        if isArmed {
            if height > Self.threshold, height > peak?.height ?? 0 {
                peak = (at, height)
            } else if let peak, height < peak.height - Self.fall {
                finish(peak.atMicroseconds, &steps)
            }
        }
        if !isArmed, height < Self.swing { isArmed = true }
    }

    private mutating func finish(_ peakMicroseconds: Int64, _ steps: inout [Int64]) {
        peak = nil
        isArmed = false
        if let before = lastStepMicroseconds,
            peakMicroseconds - before < Self.shortestStepMicroseconds
        {
            return
        }
        lastStepMicroseconds = peakMicroseconds
        steps.append(peakMicroseconds)
    }
}
