/// A scan made at a place that somebody stated (topic `survey-records`, key `site/survey`). The
/// topic `surveys` of earlier releases has the same event with the key of its floor or location.
public struct SurveyRecorded: Hashable, Sendable {
    public var scan: ScanRecorded
    public var place: SurveyPlace
    /// The id of the token or the account that sent it; nil in older events.
    public var author: String?

    public init(scan: ScanRecorded, place: SurveyPlace, author: String? = nil) {
        self.scan = scan
        self.place = place
        self.author = author
    }
}

public enum SurveyPlace: Hashable, Sendable {
    /// A location of the site.
    case location(LocationID)
    /// Metres in the site's frame.
    case metres(floor: FloorID, x: Double, y: Double)
    /// A point in WGS84 degrees.
    case geographic(floor: FloorID, latitude: Double, longitude: Double)
}
