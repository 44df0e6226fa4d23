extension MagneticFault: CustomStringConvertible {
    /// The error as a text for the surveyor.
    public var description: String {
        let limits = MagneticLimits.self
        return switch self {
        case .tooFewPoints: "a route must have at least \(limits.points.lowerBound) points"
        case .tooManyPoints: "a route must have at most \(limits.points.upperBound) points"
        case .pointMalformed(let index):
            "polyline[\(index)] is too far away, or the same as the point before"
        case .lengthOutOfRange(let metres):
            "a route must be \(limits.lengthMetres.lowerBound) to "
                + "\(limits.lengthMetres.upperBound) m long, not \(metres)"
        case .tooFewSamples: "a walk must have at least \(limits.samples.lowerBound) samples"
        case .tooManySamples: "a walk must have at most \(limits.samples.upperBound) samples"
        case .timeNotAscending(let index): "samples[\(index)] must be later than the one before"
        case .gapTooLong(let index):
            "samples[\(index)] must be within \(limits.longestGapMilliseconds) ms "
                + "of the one before"
        case .rateTooLow(let rate):
            "a walk must have at least \(limits.leastSamplesPerSecond) samples a second, "
                + "not \(rate)"
        case .fieldOutOfRange(let index):
            "the field of samples[\(index)] must be \(limits.magnitudeMicrotesla.lowerBound) to "
                + "\(limits.magnitudeMicrotesla.upperBound) microtesla"
        case .gravityMalformed(let index): "the gravity of samples[\(index)] must have a direction"
        case .gravityAgainstEarth(let down, let latitude):
            "the walk's field points \(Self.way(down)), but the Earth's does not at the site's "
                + "latitude of \(latitude). \(Self.gravityPointsDown)"
        case .gravityAgainstRecording(let down, let recorded):
            "the walk's field points \(Self.way(down)), and that of the recording "
                + "\(Self.way(recorded)). \(Self.gravityPointsDown), in both"
        case .recordingAgain:
            "these are the samples of the recording: walk the line a second time"
        case .passagesMalformed:
            "passedAt must have an ascending time within the walk for each point, or be left out"
        case .stepsMalformed: "stepsAt must have at most \(limits.steps) times, ascending"
        case .speedOutOfRange(let speed):
            "the mean speed of a walk must be \(limits.meanSpeed.lowerBound) to "
                + "\(limits.meanSpeed.upperBound) metres a second, not \(speed)"
        }
    }

    private static let gravityPointsDown =
        "Gravity must point down: send that of iOS as it is, and Android's negated"

    /// A vertical field in words, rounded to whole microtesla.
    private static func way(_ down: Double) -> String {
        "\(down < 0 ? "up" : "down") by \(Int(abs(down).rounded())) microtesla on average"
    }
}
