/// Why a route or a walk can't be used.
public enum MagneticFault: Error, Hashable, Sendable {
    case tooFewPoints
    case tooManyPoints
    /// A coordinate is no number or too far away, or a point is the same as the one before.
    case pointMalformed(index: Int)
    case lengthOutOfRange(metres: Double)
    case tooFewSamples
    case tooManySamples
    /// Not later than the sample before.
    case timeNotAscending(index: Int)
    case gapTooLong(index: Int)
    case rateTooLow(samplesPerSecond: Double)
    case fieldOutOfRange(index: Int)
    case gravityMalformed(index: Int)
    /// There is a time for each point or for none, they ascend, and lie within the walk.
    case passagesMalformed
    /// Too many, or not ascending.
    case stepsMalformed
    case speedOutOfRange(metresPerSecond: Double)
}
