/// Somebody said "I am here", with the scan of that moment (topic `taps`, key `site/device`).
///
/// A tap is a hint, and nobody has checked it. It becomes part of the radio map only when a
/// surveyor makes a survey of it.
public struct TapRecorded: Hashable, Sendable {
    public var scan: ScanRecorded
    public var place: SurveyPlace
    /// Who told it. It is the id of a device's token, of a surveyor's token or account, or of the
    /// device for which somebody spoke. A visitor has a pseudonym that changes each day, the same
    /// as the scan's device.
    public var author: String

    public init(scan: ScanRecorded, place: SurveyPlace, author: String) {
        self.scan = scan
        self.place = place
        self.author = author
    }
}

extension ScanContent {
    /// The content without the steps and the field since the scan before. A tap tells of a moment,
    /// and the way to it need not be kept.
    public var ofMoment: ScanContent {
        var content = self
        (content.steps, content.magneticSamples, content.stepsAtMilliseconds) = (nil, [], [])
        return content
    }
}
