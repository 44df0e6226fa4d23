extension MagneticFault: CustomStringConvertible {
    /// The error as a text for the surveyor.
    public var description: String {
        let limits = MagneticLimits.self
        return switch self {
        case .tooFewPoints: "a route has at least \(limits.points.lowerBound) points"
        case .tooManyPoints: "a route has at most \(limits.points.upperBound) points"
        case .pointMalformed(let index):
            "polyline[\(index)] is too far away, or the same as the point before"
        case .lengthOutOfRange(let metres):
            "a route is \(limits.lengthMetres.lowerBound) to \(limits.lengthMetres.upperBound) m "
                + "long, not \(metres)"
        case .tooFewSamples: "a walk has at least \(limits.samples.lowerBound) samples"
        case .tooManySamples: "a walk has at most \(limits.samples.upperBound) samples"
        case .timeNotAscending(let index): "samples[\(index)] is not later than the one before"
        case .gapTooLong(let index):
            "samples[\(index)] is more than \(limits.longestGapMilliseconds) ms after the one before"
        case .rateTooLow(let rate):
            "at least \(limits.leastSamplesPerSecond) samples a second are needed, not \(rate)"
        case .fieldOutOfRange(let index):
            "the field of samples[\(index)] is not \(limits.magnitudeMicrotesla.lowerBound) to "
                + "\(limits.magnitudeMicrotesla.upperBound) microtesla strong"
        case .gravityMalformed(let index): "the gravity of samples[\(index)] has no direction"
        case .passagesMalformed:
            "passedAt has a time for each point, ascending, within the walk; or is left out"
        case .stepsMalformed: "stepsAt has at most \(limits.steps) times, ascending"
        case .speedOutOfRange(let speed):
            "a walk goes at \(limits.meanSpeed.lowerBound) to \(limits.meanSpeed.upperBound) "
                + "metres a second, not \(speed)"
        }
    }
}
