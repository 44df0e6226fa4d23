public import Events

/// The bounds are the bands of C. Tudor-Locke and D. A. Rowe, "Using cadence to study free-living
/// ambulatory behaviour", Sports Medicine 42 (2012). They are in steps per minute. Below 20 is
/// incidental movement, 60 to 79 slow walking, 80 to 99 medium and 100 to 119 brisk walking. From
/// 120 on it is faster movement. Medium and brisk walking are one period here.
extension MotionPeriod {
    /// The smallest number of steps per minute in a period.
    var leastStepsPerMinute: Double {
        switch self {
        case .still: 0
        case .slow: 20
        case .moderate: 80
        case .fast: 120
        }
    }

    /// An adult's usual step in metres, chosen by hand. It converts a device's speed to a cadence.
    static let metresPerStep = 0.7

    /// The steps per minute beyond a bound at which the period changes. It was chosen by hand as a
    /// quarter of the narrowest band in the source.
    static let hysteresisStepsPerMinute = 5.0

    public init(stepsPerMinute: Double) {
        self = Self.allCases.last { stepsPerMinute >= $0.leastStepsPerMinute } ?? .still
    }

    /// The period after this one at a new cadence. It changes only when the cadence is clearly
    /// beyond its bounds.
    public func next(stepsPerMinute: Double) -> MotionPeriod {
        let lowered = MotionPeriod(stepsPerMinute: stepsPerMinute - Self.hysteresisStepsPerMinute)
        if lowered.leastStepsPerMinute > leastStepsPerMinute { return lowered }
        let raised = MotionPeriod(stepsPerMinute: stepsPerMinute + Self.hysteresisStepsPerMinute)
        if raised.leastStepsPerMinute < leastStepsPerMinute { return raised }
        return self
    }

    /// The period of a scan.
    ///
    /// - Parameter scanBefore: the time of the device's newest earlier scan.
    public init?(_ scan: ScanRecorded, after scanBefore: Timestamp?) {
        self.init(
            steps: scan.steps,
            secondsSinceScanBefore: scanBefore.map { Double(scan.correctedAt - $0) / 1e6 },
            speedMetresPerSecond: scan.speedMetresPerSecond)
    }

    /// The period by the steps since the scan before, otherwise by the speed. Nil where neither is
    /// known.
    ///
    /// - Parameters:
    ///   - steps: the steps since the device's scan before.
    ///   - secondsSinceScanBefore: nil, or not above 0, where there was no scan before. Then the
    ///     steps are not used.
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
