import EventLog
import Events
import LogViews
import Postgres
import Timetables
import Wire

/// The rows of bookings and free computers, written in the transaction of their events.
enum TimetableRows {
    static func known(
        _ feed: FeedID, at site: SiteID, connection: isolated PostgresConnection
    ) throws -> [KnownBooking] {
        try connection.query(
            "SELECT event, is_cancelled FROM timetables.bookings WHERE site = $1 AND feed = $2",
            [.text(site.text), .text(feed.text)]
        ).map {
            KnownBooking(
                try RoomBooked(json: try $0["event"]).booking, isCancelled: try $0["is_cancelled"])
        }
    }

    static func write(
        _ changes: TimetableChanges, of site: SiteID, connection: isolated PostgresConnection
    ) throws {
        for event in changes.booked {
            try write(event.booking, event.foundAt, connection: connection)
        }
        for event in changes.moved {
            try write(event.booking, event.foundAt, connection: connection)
        }
        for event in changes.cancelled {
            try write(event.booking, event.foundAt, isCancelled: true, connection: connection)
        }
        for id in changes.forgotten {
            try connection.query(
                "DELETE FROM timetables.bookings WHERE site = $1 AND id = $2",
                [.text(site.text), .uuid(id.bytes)])
        }
        let source = TimetableSchema.source
        try TimetableSchema.outbox.put(
            changes.booked.map { $0.record(source: source) }
                + changes.moved.map { $0.record(source: source) }
                + changes.cancelled.map { $0.record(source: source) }
                + changes.forgotten.map { tombstone(.timetables, RoomBooking.recordKey(site, $0)) },
            connection: connection)
    }

    /// A cancelled booking is in no room any more, but its row stays until its key goes.
    static func write(
        _ booking: RoomBooking, _ foundAt: Timestamp, isCancelled: Bool = false,
        connection: isolated PostgresConnection
    ) throws {
        let times: [PostgresValue] = [
            .timestamp(microseconds: booking.starts.microseconds),
            .timestamp(microseconds: booking.ends.microseconds),
        ]
        let key: [PostgresValue] = [.text(booking.site.text), .uuid(booking.id.bytes)]
        var statements = [
            PostgresStatement(
                """
                INSERT INTO timetables.bookings
                    (site, id, starts_at, ends_at, feed, is_cancelled, event)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (site, id) DO UPDATE SET starts_at = excluded.starts_at,
                    ends_at = excluded.ends_at, feed = excluded.feed,
                    is_cancelled = excluded.is_cancelled, event = excluded.event
                """,
                key + times + [
                    .text(booking.feed.text), .bool(isCancelled),
                    .bytes(RoomBooked(booking: booking, foundAt: foundAt).json),
                ]),
            PostgresStatement(
                "DELETE FROM timetables.booking_rooms WHERE site = $1 AND id = $2", key),
        ]
        if !isCancelled {
            statements += Set(booking.rooms).map { room in
                PostgresStatement(
                    """
                    INSERT INTO timetables.booking_rooms (site, id, starts_at, ends_at, room)
                    VALUES ($1, $2, $3, $4, $5)
                    """, key + times + [.text(room.text)])
            }
        }
        try connection.pipeline(statements)
    }

    static func counts(
        _ feed: FeedID, at site: SiteID, connection: isolated PostgresConnection
    ) throws -> [ComputersCounted] {
        try connection.query(
            "SELECT event FROM timetables.counts WHERE site = $1 AND feed = $2",
            [.text(site.text), .text(feed.text)]
        ).map { try ComputersCounted(json: try $0["event"]) }
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

    /// Removes all rows of a feed, with tombstones for their keys.
    static func removeAll(
        of feed: FeedID, at site: SiteID, connection: isolated PostgresConnection
    ) throws {
        let key: [PostgresValue] = [.text(site.text), .text(feed.text)]
        let bookings = try connection.query(
            "DELETE FROM timetables.bookings WHERE site = $1 AND feed = $2 RETURNING id", key)
        let rooms = try connection.query(
            "DELETE FROM timetables.counts WHERE site = $1 AND feed = $2 RETURNING room", key)
        let ids: [EventID] = try bookings.compactMap { row in
            let bytes: [UInt8] = try row["id"]
            return EventID(bytes: bytes)
        }
        let counted: [RoomID] = try rooms.map { RoomID(try $0["room"]) }
        try TimetableSchema.outbox.put(
            ids.map { tombstone(.timetables, RoomBooking.recordKey(site, $0)) }
                + counted.map {
                    tombstone(.availability, ComputersCounted.recordKey(site, feed, $0))
                }, connection: connection)
    }

    /// Removes bookings that ended before a moment, with tombstones for their keys. The result is
    /// their number.
    static func removePast(
        _ before: Timestamp, atMost count: Int, connection: isolated PostgresConnection
    ) throws -> Int {
        // What a fetch moves at this moment is locked, and no longer past.
        let rows = try connection.query(
            """
            DELETE FROM timetables.bookings WHERE (site, id) IN (
                SELECT site, id FROM timetables.bookings WHERE ends_at < $1
                LIMIT $2 FOR UPDATE SKIP LOCKED)
            RETURNING site, id
            """, [.timestamp(microseconds: before.microseconds), .int(count)])
        let keys: [[UInt8]] = try rows.compactMap { row in
            let bytes: [UInt8] = try row["id"]
            let site = SiteID(try row["site"])
            return EventID(bytes: bytes).map { RoomBooking.recordKey(site, $0) }
        }
        try TimetableSchema.outbox.put(
            keys.map { tombstone(.timetables, $0) }, connection: connection)
        return rows.affected
    }

    private static func tombstone(_ topic: Topic, _ key: [UInt8]) -> LogRecord {
        LogRecord(topic: topic.name, key: key, value: nil)
    }
}
