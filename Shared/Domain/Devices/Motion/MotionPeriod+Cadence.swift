public import Events

/// The bounds are the bands of C. Tudor-Locke and D. A. Rowe, "Using cadence to study free-living
/// ambulatory behaviour", Sports Medicine 42 (2012), in steps per minute: below 20 incidental
/// movement, 60 to 79 slow, 80 to 99 medium, 100 to 119 brisk walking, and from 120 on faster
/// locomotion; medium and brisk are one here.
extension MotionPeriod {
    /// Steps per minute from which a period begins.
    var leastStepsPerMinute: Double {
        switch self {
        case .still: 0
        case .slow: 20
        case .moderate: 80
        case .fast: 120
        }
    }

    /// An adult's usual step, in metres; chosen by hand. It turns a device's speed into a cadence.
    static let metresPerStep = 0.7

    /// How far past a bound the cadence must be before the period changes, in steps per minute;
    /// chosen by hand, a quarter of the narrowest band in the source.
    static let hysteresisStepsPerMinute = 5.0

    public init(stepsPerMinute: Double) {
        self = Self.allCases.last { stepsPerMinute >= $0.leastStepsPerMinute } ?? .still
    }

    /// The period at a cadence after this one: it stays until the cadence is clearly beyond its
    /// bounds.
    public func next(stepsPerMinute: Double) -> MotionPeriod {
        let lowered = MotionPeriod(stepsPerMinute: stepsPerMinute - Self.hysteresisStepsPerMinute)
        if lowered.leastStepsPerMinute > leastStepsPerMinute { return lowered }
        let raised = MotionPeriod(stepsPerMinute: stepsPerMinute + Self.hysteresisStepsPerMinute)
        if raised.leastStepsPerMinute < leastStepsPerMinute { return raised }
        return self
    }

    /// The period that a scan tells; the scan before is the newest one of its device.
    public init?(_ scan: ScanRecorded, after scanBefore: Timestamp?) {
        self.init(
            steps: scan.steps,
            secondsSinceScanBefore: scanBefore.map { Double(scan.correctedAt - $0) / 1e6 },
            speedMetresPerSecond: scan.speedMetresPerSecond)
    }

    /// The same from its parts: by its steps since the scan before, else by its speed; nil where
    /// it says neither.
    ///
    /// - Parameters:
    ///   - steps: since the device's scan before.
    ///   - secondsSinceScanBefore: nil, or not above 0, where there was none: its steps say nothing
    ///     then.
    public init?(
        steps: Int?, secondsSinceScanBefore: Double?, speedMetresPerSecond: Double?
    ) {
        if let steps, let seconds = secondsSinceScanBefore, seconds > 0 {
            self.init(stepsPerMinute: Double(steps) / seconds * 60)
        } else if let speed = speedMetresPerSecond {
            self.init(stepsPerMinute: speed / Self.metresPerStep * 60)
        } else {
            return nil
        }
    }
}
