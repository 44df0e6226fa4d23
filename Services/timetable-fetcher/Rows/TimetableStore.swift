import Events
import Postgres
import Timetables
import Wire

/// Reads bookings and free computers for answers.
struct TimetableStore: Sendable {
    /// The bookings of one answer: six a day in each of 1,000 rooms for eight days.
    private static let most = 50_000

    let pool: PostgresPool
    let unread: UnreadRows

    /// The bookings of rooms that lie in a time, at least in part, in the order of their starts.
    /// With them come the rooms of bookings that can't be read.
    ///
    /// - Throws: `FeedRefusal.tooManyBookings`: a room would look free without those left out.
    func bookings(
        site: SiteID, rooms: [RoomID], from: Timestamp, to: Timestamp
    ) async throws -> (bookings: [RoomBooking], unreadRooms: Set<RoomID>) {
        let asked: [PostgresValue] = [
            .text(site.text), .textArray(rooms.map(\.text)),
            .timestamp(microseconds: from.microseconds),
            .timestamp(microseconds: to.microseconds),
        ]
        let asking = """
            SELECT DISTINCT id FROM timetables.booking_rooms
            WHERE site = $1 AND room = ANY ($2) AND ends_at > $3 AND starts_at < $4
            """
        // A question that is refused reads no events.
        let found: Int = try await pool.read(
            "SELECT count(*) AS found FROM (\(asking) LIMIT \(Self.most + 1)) AS ids", asked)[0][
                "found"]
        guard found <= Self.most else { throw FeedRefusal.tooManyBookings(Self.most) }
        let rows = try await pool.read(
            """
            SELECT id, event FROM timetables.bookings AS booking
            WHERE site = $1 AND id IN (\(asking))
            ORDER BY starts_at, ends_at, id LIMIT \(Self.most + 1)
            """, asked)
        guard rows.count <= Self.most else { throw FeedRefusal.tooManyBookings(Self.most) }
        let bookings = try unread.passingOver(in: "timetables.bookings", rows) {
            try RoomBooked(json: try $0["event"]).booking
        }
        guard bookings.count < rows.count else { return (bookings, []) }
        let known = Set(bookings.map(\.id))
        let ids: [EventID] = try rows.compactMap { row in
            let bytes: [UInt8] = try row["id"]
            return EventID(bytes: bytes).flatMap { known.contains($0) ? nil : $0 }
        }
        return (bookings, try await self.rooms(of: ids, at: site))
    }

    private func rooms(of bookings: [EventID], at site: SiteID) async throws -> Set<RoomID> {
        let rows = try await pool.read(
            """
            SELECT DISTINCT room FROM timetables.booking_rooms
            WHERE site = $1 AND id = ANY ($2::text[]::uuid[])
            """, [.text(site.text), .textArray(bookings.map(\.description))])
        return Set(try rows.map { RoomID(try $0["room"]) })
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
        let rows = try await pool.read(
            """
            SELECT event FROM timetables.counts WHERE site = $1 AND room = ANY ($2)
            ORDER BY room, feed
            """, [.text(site.text), .textArray(rooms.map(\.text))])
        return try unread.passingOver(in: "timetables.counts", rows) {
            try ComputersCounted(json: try $0["event"])
        }
    }
}
