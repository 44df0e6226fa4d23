import Timetables
import Wire

/// Reads the answer of a feed by its kind.
enum FeedReading {
    /// Blocks as long as the answer is large.
    ///
    /// - Parameter zone: the IANA zone of times without one.
    static func parts(
        of feed: TimetableFeed, _ answer: FeedAnswer, horizon: TimetableHorizon, zone: String
    ) throws(FeedFault) -> FeedParts {
        switch feed.kind {
        case .calendar:
            return try CalendarFeed.parts(
                in: answer.body, horizon, zone: zone, keepsPeople: feed.keepsPeople)
        case .table, .form:
            return try PageFeed(answer, feed.paths).bookings(zone: LocalZone(zone))
        case .computersJSON:
            var parts = FeedParts()
            parts.counts = try CountPaths.counts(in: answer.body, paths: feed.paths)
            return parts
        case .computersHTML: return try PageFeed(answer, feed.paths).counts()
        }
    }
}
