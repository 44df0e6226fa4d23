import Events
import Postgres
import Timetables
import Wire

/// Reads bookings and free computers for answers.
struct TimetableStore: Sendable {
    /// The bookings of one answer.
    private static let most = 20_000

    let pool: PostgresPool

    /// The bookings of rooms that lie in a time, at least in part, in the order of their starts.
    func bookings(
        site: SiteID, rooms: [RoomID], from: Timestamp, to: Timestamp
    ) async throws -> [RoomBooking] {
        try await pool.read(
            """
            SELECT event FROM timetables.bookings AS booking
            WHERE site = $1 AND id IN (
                SELECT id FROM timetables.booking_rooms
                WHERE site = $1 AND room = ANY ($2) AND ends_at > $3 AND starts_at < $4)
            ORDER BY starts_at, ends_at, id LIMIT \(Self.most)
            """,
            [
                .text(site.text), .textArray(rooms.map(\.text)),
                .timestamp(microseconds: from.microseconds),
                .timestamp(microseconds: to.microseconds),
            ]
        ).map { try RoomBooked(json: try $0["event"]).booking }
    }

    /// The feeds that have booked each room, so far as rows are kept.
    func feedsOfRooms(_ rooms: [RoomID], at site: SiteID) async throws -> [RoomID: Set<FeedID>] {
        var feeds: [RoomID: Set<FeedID>] = [:]
        for row in try await pool.read(
            """
            SELECT DISTINCT booked.room, booking.feed
            FROM timetables.booking_rooms AS booked
            JOIN timetables.bookings AS booking USING (site, id)
            WHERE booked.site = $1 AND booked.room = ANY ($2)
            """, [.text(site.text), .textArray(rooms.map(\.text))])
        {
            feeds[RoomID(try row["room"]), default: []].insert(FeedID(try row["feed"]))
        }
        return feeds
    }

    /// The free computers of rooms. A room may have several feeds.
    func counts(site: SiteID, rooms: [RoomID]) async throws -> [ComputersCounted] {
        try await pool.read(
            """
            SELECT event FROM timetables.counts WHERE site = $1 AND room = ANY ($2)
            ORDER BY room, feed
            """, [.text(site.text), .textArray(rooms.map(\.text))]
        ).map { try ComputersCounted(json: try $0["event"]) }
    }

    /// The last good fetch of each feed of the site; nil for a feed that was never read.
    func freshness(site: SiteID) async throws -> [FeedID: Timestamp?] {
        var result: [FeedID: Timestamp?] = [:]
        for row in try await pool.read(
            "SELECT id, good_at FROM timetables.feeds WHERE site = $1", [.text(site.text)])
        {
            let goodAt: Int64? = try row["good_at"]
            result[FeedID(try row["id"])] = goodAt.map { Timestamp(microseconds: $0) }
        }
        return result
    }
}
