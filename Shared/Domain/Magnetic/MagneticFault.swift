/// The reason why a route or a walk can't be used.
public enum MagneticFault: Error, Hashable, Sendable {
    case tooFewPoints
    case tooManyPoints
    /// A coordinate is not a number or too far away, or a point equals the one before.
    case pointMalformed(index: Int)
    case lengthOutOfRange(metres: Double)
    case tooFewSamples
    case tooManySamples
    /// The sample is not later than the one before.
    case timeNotAscending(index: Int)
    case gapTooLong(index: Int)
    case rateTooLow(samplesPerSecond: Double)
    case fieldOutOfRange(index: Int)
    case gravityMalformed(index: Int)
    /// The mean of the field points the other way than the Earth's at the site.
    case gravityAgainstEarth(downMicrotesla: Double, latitude: Double)
    /// The mean of the walk's field points the other way than that of the recording.
    case gravityAgainstRecording(downMicrotesla: Double, recordedMicrotesla: Double)
    /// The validation walk is the recording, sent again.
    case recordingAgain
    /// The times of passages must be none, or one for each point, ascending and within the walk.
    case passagesMalformed
    /// There are too many steps, or they are not ascending.
    case stepsMalformed
    case speedOutOfRange(metresPerSecond: Double)
}
