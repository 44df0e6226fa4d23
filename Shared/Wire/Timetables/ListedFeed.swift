public import JSON
public import Timetables

/// A feed with its state, without the secrets of its address.
public struct ListedFeed: Listed {
    public static var listName: StaticString { "feeds" }

    private let feed: TimetableFeed
    private let report: FeedReport

    public init(_ feed: TimetableFeed, _ report: FeedReport) {
        self.feed = feed
        self.report = report
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("site", feed.site)
        writer.field("id", feed.id)
        writer.field("address", FeedAddress(feed.address)?.shown)
        feed.writeSettings(to: &writer)
        writer.field("fetchedAt", report.fetchedAt)
        writer.field("goodAt", report.goodAt)
        writer.field("outcome", report.outcome?.rawValue)
        writer.field("nextAt", report.nextAt)
    }
}
