import EventLog
import Events
import Postgres
import Wire

/// The records that the log must hold of the present rows. A restore puts again what is missing.
enum Announcements {
    /// - Returns: the number of rows that are left out, because they can't be read.
    static func put(
        _ connection: isolated PostgresConnection,
        _ put: (isolated PostgresConnection, [LogRecord]) throws -> Void
    ) throws -> Int {
        let source = TimetableSchema.source
        var unread = 0
        for row in try connection.query("SELECT event, is_cancelled FROM timetables.bookings") {
            let json: [UInt8] = try row["event"]
            guard let event = try? RoomBooked(json: json) else {
                unread += 1
                continue
            }
            let isCancelled: Bool = try row["is_cancelled"]
            let cancelled = BookingCancelled(booking: event.booking, foundAt: event.foundAt)
            try put(
                connection,
                [isCancelled ? cancelled.record(source: source) : event.record(source: source)])
        }
        for row in try connection.query("SELECT event FROM timetables.counts") {
            let json: [UInt8] = try row["event"]
            guard let event = try? ComputersCounted(json: json) else {
                unread += 1
                continue
            }
            try put(connection, [event.record(source: source)])
        }
        return unread
    }
}
