import Cryptography
import EventLog
import Events
import LogViews
import Postgres
import Timetables
import Wire

/// The rows of bookings and free computers, written in the transaction of their events.
enum TimetableRows {
    private static let digestBytes = 16
    /// The cancelled bookings of a feed whose rows are kept, and the same of those that ended.
    private static let mostPast = 200_000

    /// The marks that show which rows of a feed have to be read. Those of cancelled bookings may be
    /// many, and say nothing of what the feed has now.
    static func marks(
        _ feed: FeedID, at site: SiteID, connection: isolated PostgresConnection
    ) throws -> [BookingMark] {
        try connection.query(
            """
            SELECT id, ends_at, digest FROM timetables.bookings
            WHERE site = $1 AND feed = $2 AND NOT is_cancelled
            """, [.text(site.text), .text(feed.text)]
        ).compactMap { row in
            let bytes: [UInt8] = try row["id"]
            guard let id = EventID(bytes: bytes) else { return nil }
            return BookingMark(
                id: id, ends: Timestamp(microseconds: try row["ends_at"]),
                digest: try row["digest"])
        }
    }

    static func known(
        _ ids: [EventID], at site: SiteID, unread: UnreadRows,
        connection: isolated PostgresConnection
    ) throws -> [KnownBooking] {
        guard !ids.isEmpty else { return [] }
        let rows = try connection.query(
            """
            SELECT event, is_cancelled FROM timetables.bookings
            WHERE site = $1 AND id = ANY ($2::text[]::uuid[])
            """, [.text(site.text), .textArray(ids.map(\.description))])
        return try unread.passingOver(in: "timetables.bookings", rows, stored)
    }

    private static func stored(_ row: PostgresRow) throws -> KnownBooking {
        KnownBooking(
            try RoomBooked(json: try row["event"]).booking, isCancelled: try row["is_cancelled"])
    }

    /// A hash of all that events say of a booking.
    static func digest(_ booking: RoomBooking) -> [UInt8] {
        let json = RoomBooked(booking: booking, foundAt: Timestamp(microseconds: 0)).json
        return Array(sha256(json).prefix(digestBytes))
    }

    static func write(
        _ changes: TimetableChanges, of site: SiteID, connection: isolated PostgresConnection
    ) throws {
        let source = TimetableSchema.source
        try write(changes.booked, connection: connection) {
            (writing($0.booking, $0.foundAt), $0.record(source: source))
        }
        try write(changes.moved, connection: connection) {
            (writing($0.booking, $0.foundAt), $0.record(source: source))
        }
        try write(changes.cancelled, connection: connection) {
            (
                writing($0.booking, $0.foundAt, isCancelled: true),
                $0.record(source: source)
            )
        }
        try write(changes.forgotten, connection: connection) { id in
            let statement = PostgresStatement(
                "DELETE FROM timetables.bookings WHERE site = $1 AND id = $2",
                [.text(site.text), .uuid(id.bytes)])
            return ([statement], tombstone(.timetables, RoomBooking.recordKey(site, id)))
        }
    }

    /// The bookings of one round trip.
    private static let atOnce = 300

    /// Writes the rows and the event of each change, some in each round trip. The statements of all
    /// at once would be many times as large.
    private static func write<Change>(
        _ changes: [Change], connection: isolated PostgresConnection,
        _ written: (Change) -> (rows: [PostgresStatement], event: LogRecord)
    ) throws {
        for first in stride(from: 0, to: changes.count, by: atOnce) {
            let some = changes[first..<min(first + atOnce, changes.count)].map(written)
            try connection.pipeline(some.flatMap(\.rows))
            try TimetableSchema.outbox.put(some.map(\.event), connection: connection)
        }
    }

    /// A cancelled booking is in no room any more, but its row stays until its key goes.
    static func writing(
        _ booking: RoomBooking, _ foundAt: Timestamp, isCancelled: Bool = false
    ) -> [PostgresStatement] {
        let times: [PostgresValue] = [
            .timestamp(microseconds: booking.starts.microseconds),
            .timestamp(microseconds: booking.ends.microseconds),
        ]
        let changedAt = PostgresValue.timestamp(microseconds: foundAt.microseconds)
        let key: [PostgresValue] = [.text(booking.site.text), .uuid(booking.id.bytes)]
        var statements = [
            PostgresStatement(
                """
                INSERT INTO timetables.bookings
                    (site, id, starts_at, ends_at, feed, is_cancelled, event, digest, changed_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                ON CONFLICT (site, id) DO UPDATE SET starts_at = excluded.starts_at,
                    ends_at = excluded.ends_at, feed = excluded.feed,
                    is_cancelled = excluded.is_cancelled, event = excluded.event,
                    digest = excluded.digest, changed_at = excluded.changed_at
                """,
                key + times + [
                    .text(booking.feed.text), .bool(isCancelled),
                    .bytes(RoomBooked(booking: booking, foundAt: foundAt).json),
                    .bytes(digest(booking)), changedAt,
                ]),
            PostgresStatement(
                "DELETE FROM timetables.booking_rooms WHERE site = $1 AND id = $2", key),
        ]
        if !isCancelled {
            statements.append(
                PostgresStatement(
                    """
                    INSERT INTO timetables.booking_rooms (site, id, starts_at, ends_at, room)
                    SELECT $1::text, $2::uuid, $3::timestamptz, $4::timestamptz, room
                    FROM unnest($5::text[]) AS rooms (room)
                    """, key + times + [.textArray(Set(booking.rooms).map(\.text))]))
        }
        return statements
    }

    static func counts(
        _ feed: FeedID, at site: SiteID, unread: UnreadRows,
        connection: isolated PostgresConnection
    ) throws -> [ComputersCounted] {
        let rows = try connection.query(
            "SELECT event FROM timetables.counts WHERE site = $1 AND feed = $2",
            [.text(site.text), .text(feed.text)])
        return try unread.passingOver(in: "timetables.counts", rows) {
            try ComputersCounted(json: try $0["event"])
        }
    }

    static func write(
        _ changes: ComputerChanges, of feed: FeedID, at site: SiteID,
        connection: isolated PostgresConnection
    ) throws {
        for event in changes.counted { try write(event, connection: connection) }
        for room in changes.gone {
            try connection.query(
                "DELETE FROM timetables.counts WHERE site = $1 AND feed = $2 AND room = $3",
                [.text(site.text), .text(feed.text), .text(room.text)])
        }
        try TimetableSchema.outbox.put(
            changes.counted.map { $0.record(source: TimetableSchema.source) }
                + changes.gone.map {
                    tombstone(.availability, ComputersCounted.recordKey(site, feed, $0))
                }, connection: connection)
    }

    static func write(
        _ event: ComputersCounted, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO timetables.counts (site, feed, room, event) VALUES ($1, $2, $3, $4)
            ON CONFLICT (site, feed, room) DO UPDATE SET event = excluded.event
            """,
            [
                .text(event.site.text), .text(event.feed.text), .text(event.room.text),
                .bytes(event.json),
            ])
    }

    /// Takes the names of people out of all rows of a feed, also of those that it has no more.
    static func forgetPeople(
        of feed: FeedID, at site: SiteID, now: Timestamp, unread: UnreadRows,
        connection: isolated PostgresConnection
    ) throws {
        let rows = try connection.query(
            """
            SELECT event, is_cancelled FROM timetables.bookings
            WHERE site = $1 AND feed = $2 AND position('"people"'::bytea IN event) > 0
            """, [.text(site.text), .text(feed.text)])
        var changes = TimetableChanges()
        for row in try unread.passingOver(in: "timetables.bookings", rows, stored)
        where !row.booking.people.isEmpty {
            var booking = row.booking
            booking.people = []
            if row.isCancelled {
                changes.cancelled.append(BookingCancelled(booking: booking, foundAt: now))
            } else {
                changes.booked.append(RoomBooked(booking: booking, foundAt: now))
            }
        }
        try write(changes, of: site, connection: connection)
    }

    /// Removes all rows of a feed, with tombstones for their keys. Each statement has a time limit,
    /// so it removes a part of them.
    static func removeAll(
        of feed: FeedID, at site: SiteID, connection: isolated PostgresConnection
    ) throws {
        let count = 10_000
        while try remove(of: feed, at: site, atMost: count, connection: connection) == count {}
    }

    /// Removes some bookings of a feed and all its numbers, with tombstones for their keys. The
    /// result is the number of the bookings.
    static func remove(
        of feed: FeedID, at site: SiteID, atMost count: Int,
        connection: isolated PostgresConnection
    ) throws -> Int {
        let key: [PostgresValue] = [.text(site.text), .text(feed.text)]
        let bookings = try connection.query(
            """
            DELETE FROM timetables.bookings WHERE site = $1 AND id IN (
                SELECT id FROM timetables.bookings WHERE site = $1 AND feed = $2 LIMIT $3)
            RETURNING site, id
            """, key + [.int(count)])
        let rooms = try connection.query(
            "DELETE FROM timetables.counts WHERE site = $1 AND feed = $2 RETURNING room", key)
        try putTombstones(of: bookings, connection: connection)
        let counted: [RoomID] = try rooms.map { RoomID(try $0["room"]) }
        try TimetableSchema.outbox.put(
            counted.map { tombstone(.availability, ComputersCounted.recordKey(site, feed, $0)) },
            connection: connection)
        return bookings.affected
    }

    /// Removes the oldest cancelled bookings of a feed where they are too many, and the oldest that
    /// ended, with tombstones for their keys. A source may give its bookings other ids at each
    /// export.
    static func forgetOldest(
        of feed: FeedID, at site: SiteID, now: Timestamp, connection: isolated PostgresConnection
    ) throws {
        // One fetch may cancel more, and the next ones remove them.
        let rows = try connection.query(
            """
            DELETE FROM timetables.bookings WHERE (site, id) IN (
                SELECT site, id FROM (
                    SELECT site, id, row_number() OVER (
                        PARTITION BY is_cancelled ORDER BY changed_at DESC, id) AS place
                    FROM timetables.bookings
                    WHERE site = $1 AND feed = $2 AND (is_cancelled OR ends_at < $5)) AS past
                WHERE place > $3 LIMIT $4)
            RETURNING site, id
            """,
            [
                .text(site.text), .text(feed.text), .int(mostPast), .int(FeedSize.mostBookings),
                .timestamp(microseconds: now.microseconds),
            ])
        try putTombstones(of: rows, connection: connection)
    }

    /// Removes bookings that ended before a moment or were cancelled before one, with tombstones
    /// for their keys. The result is their number.
    static func removePast(
        endedBefore ended: Timestamp, cancelledBefore cancelled: Timestamp, atMost count: Int,
        connection: isolated PostgresConnection
    ) throws -> Int {
        // A booking that a fetch moves at this moment is locked, and no longer past.
        let rows = try connection.query(
            """
            DELETE FROM timetables.bookings WHERE (site, id) IN (
                SELECT site, id FROM timetables.bookings
                WHERE ends_at < $1 OR is_cancelled AND changed_at < $2
                LIMIT $3 FOR UPDATE SKIP LOCKED)
            RETURNING site, id
            """,
            [
                .timestamp(microseconds: ended.microseconds),
                .timestamp(microseconds: cancelled.microseconds), .int(count),
            ])
        try putTombstones(of: rows, connection: connection)
        return rows.affected
    }

    private static func putTombstones(
        of bookings: PostgresRows, connection: isolated PostgresConnection
    ) throws {
        let keys: [[UInt8]] = try bookings.compactMap { row in
            let bytes: [UInt8] = try row["id"]
            let site = SiteID(try row["site"])
            return EventID(bytes: bytes).map { RoomBooking.recordKey(site, $0) }
        }
        try TimetableSchema.outbox.put(
            keys.map { tombstone(.timetables, $0) }, connection: connection)
    }

    private static func tombstone(_ topic: Topic, _ key: [UInt8]) -> LogRecord {
        LogRecord(topic: topic.name, key: key, value: nil)
    }
}
