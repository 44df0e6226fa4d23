import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Timetables
import Wire

/// Brings the rows of bookings and free computers up to the log, after an older database was put in
/// place. Feeds themselves are not on the log, since their addresses are secrets. So those of the
/// older database are fetched anew, and rows of feeds that it lacks go.
struct TimetableReconciling: Sendable {
    let host: Host
    let order: ReconcileOrder

    func run() async throws -> ReconcileReport? {
        let logged = try await LoggedTimetables(host.log)
        let leavesUnread = order.leavesUnread
        return try await OutboxReconciling(
            host: host, outbox: TimetableSchema.outbox, order: order
        ).run(
            newest: logged.newest, unread: logged.unread.count,
            follow: { report, connection in
                try Self.follow(logged, &report, connection)
            },
            send: { report, connection in
                try Self.send(leavesUnread: leavesUnread, &report, connection)
            })
    }

    private static func follow(
        _ logged: LoggedTimetables, _ report: inout ReconcileReport,
        _ connection: isolated PostgresConnection
    ) throws {
        let feeds = try feeds(connection)
        let waiting = try waiting(connection)
        report.count("bookings", try removeUnlogged(logged, waiting, connection))
        var unknown: Set<LoggedTimetables.Feed> = []
        var tombstones: [LogRecord] = []
        for (key, (event, isCancelled)) in logged.bookings where !waiting.contains(key) {
            let booking = event.booking
            let feed = LoggedTimetables.Feed(site: booking.site, feed: booking.feed)
            guard feeds.contains(feed) else {
                unknown.insert(feed)
                tombstones.append(
                    LogRecord(topic: Topic.timetables.name, key: key, value: nil))
                continue
            }
            guard try !isStored(event, isCancelled, connection) else { continue }
            try connection.pipeline(
                TimetableRows.writing(booking, event.foundAt, isCancelled: isCancelled))
            report.count("bookings", 1)
        }
        for (key, count) in logged.counts where !waiting.contains(key) {
            let feed = LoggedTimetables.Feed(site: count.site, feed: count.feed)
            guard feeds.contains(feed) else {
                unknown.insert(feed)
                tombstones.append(
                    LogRecord(topic: Topic.availability.name, key: key, value: nil))
                continue
            }
            try TimetableRows.write(count, connection: connection)
            report.count("computerCounts", 1)
        }
        try TimetableSchema.outbox.put(tombstones, connection: connection)
        if !logged.unread.isEmpty {
            report.note(
                "\(logged.unread.count) records of bookings and free computers can't be read on "
                    + "the log, and their rows stay as they are")
        }
        for feed in unknown.sorted(by: { ($0.site, $0.feed) < ($1.site, $1.feed) }) {
            report.note("the feed \(feed.feed) of \(feed.site) has to be set up again")
        }
        // The next fetch of each finds the changes since.
        try connection.query(
            """
            UPDATE timetables.feeds SET next_at = now(), next_from = now(),
                revision = revision + 1, lease_until = NULL, hash = NULL, etag = NULL,
                modified = NULL
            """)
    }

    /// Rows whose keys have gone from the log are no longer announced to anybody. The next fetch of
    /// their feeds books them again.
    private static func removeUnlogged(
        _ logged: LoggedTimetables, _ waiting: Set<[UInt8]>,
        _ connection: isolated PostgresConnection
    ) throws -> Int {
        var removed = 0
        for row in try connection.query("SELECT site, id FROM timetables.bookings") {
            let (site, bytes): (String, [UInt8]) = (try row["site"], try row["id"])
            guard let id = EventID(bytes: bytes) else { continue }
            let key = RoomBooking.recordKey(SiteID(site), id)
            guard logged.bookings[key] == nil, !waiting.contains(key),
                !logged.unread.contains(key)
            else { continue }
            try connection.query(
                "DELETE FROM timetables.bookings WHERE site = $1 AND id = $2",
                [.text(site), .uuid(bytes)])
            removed += 1
        }
        for row in try connection.query("SELECT site, feed, room FROM timetables.counts") {
            let (site, feed, room): (String, String, String) = (
                try row["site"], try row["feed"], try row["room"]
            )
            let key = ComputersCounted.recordKey(SiteID(site), FeedID(feed), RoomID(room))
            guard logged.counts[key] == nil, !waiting.contains(key),
                !logged.unread.contains(key)
            else { continue }
            try connection.query(
                "DELETE FROM timetables.counts WHERE site = $1 AND feed = $2 AND room = $3",
                [.text(site), .text(feed), .text(room)])
            removed += 1
        }
        return removed
    }

    private static func isStored(
        _ event: RoomBooked, _ isCancelled: Bool, _ connection: isolated PostgresConnection
    ) throws -> Bool {
        let row = try connection.query(
            "SELECT event, is_cancelled FROM timetables.bookings WHERE site = $1 AND id = $2",
            [.text(event.booking.site.text), .uuid(event.booking.id.bytes)]
        ).first
        guard let row else { return false }
        let (bytes, wasCancelled): ([UInt8], Bool) = (
            try row["event"], try row["is_cancelled"]
        )
        return bytes == event.json && wasCancelled == isCancelled
    }

    private static func feeds(
        _ connection: isolated PostgresConnection
    ) throws -> Set<LoggedTimetables.Feed> {
        Set(
            try connection.query("SELECT site, id FROM timetables.feeds").map {
                LoggedTimetables.Feed(site: SiteID(try $0["site"]), feed: FeedID(try $0["id"]))
            })
    }

    /// The keys of events that the log gets yet.
    private static func waiting(
        _ connection: isolated PostgresConnection
    ) throws -> Set<[UInt8]> {
        Set(
            try connection.query("SELECT DISTINCT key FROM timetables.outbox").map { try $0["key"] }
        )
    }

    private static func send(
        leavesUnread: Bool, _ report: inout ReconcileReport,
        _ connection: isolated PostgresConnection
    ) throws {
        var count = 0
        let unread = try Announcements.put(connection) { connection, records in
            try TimetableSchema.outbox.put(records, connection: connection)
            count += records.count
        }
        guard leavesUnread || unread == 0 else {
            throw ReconcileRefusal.unread(TimetableSchema.name, unread)
        }
        report.count("bookings", count)
        if unread > 0 {
            report.note("\(unread) bookings and free computers are not on the new log")
        }
    }
}
