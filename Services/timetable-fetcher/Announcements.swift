import EventLog
import Events
import Postgres
import Wire

/// The records that the log must hold of the present rows. A restore puts again what is missing.
enum Announcements {
    static func put(
        _ connection: isolated PostgresConnection,
        _ put: (isolated PostgresConnection, [LogRecord]) throws -> Void
    ) throws {
        let source = TimetableSchema.source
        for row in try connection.query("SELECT event, is_cancelled FROM timetables.bookings") {
            let event = try RoomBooked(json: try row["event"])
            let isCancelled: Bool = try row["is_cancelled"]
            let cancelled = BookingCancelled(booking: event.booking, foundAt: event.foundAt)
            try put(
                connection,
                [isCancelled ? cancelled.record(source: source) : event.record(source: source)])
        }
        for row in try connection.query("SELECT event FROM timetables.counts") {
            let event = try ComputersCounted(json: try row["event"])
            try put(connection, [event.record(source: source)])
        }
    }
}
