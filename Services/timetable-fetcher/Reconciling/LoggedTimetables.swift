import EventLog
import Events
import LogViews
import Wire

/// The bookings and counts as the log has them: of each key the last event.
struct LoggedTimetables: Sendable {
    struct Feed: Hashable, Sendable {
        var site: SiteID
        var feed: FeedID
    }

    private(set) var bookings: [[UInt8]: (event: RoomBooked, isCancelled: Bool)] = [:]
    private(set) var counts: [[UInt8]: ComputersCounted] = [:]
    /// The keys whose last event can't be read.
    private(set) var unread: Set<[UInt8]> = []
    /// The outbox's newest number on the log.
    private(set) var newest: Int64 = 0

    init(_ log: any EventLog) async throws {
        for topic in [Topic.timetables, .availability] {
            try await log.readRange(log.ranges(of: [topic.name])) { records in
                for record in records { add(record) }
            }
        }
    }

    private mutating func add(_ record: StoredRecord) {
        newest = max(newest, OutboxNumber.of(record.headers, in: TimetableSchema.name) ?? 0)
        guard let key = record.key else { return }
        unread.remove(key)
        (bookings[key], counts[key]) = (nil, nil)
        guard record.value != nil else { return }
        if let event = try? RoomBooked(record: record) {
            bookings[key] = (event, false)
        } else if let event = try? BookingMoved(record: record) {
            bookings[key] = (RoomBooked(booking: event.booking, foundAt: event.foundAt), false)
        } else if let event = try? BookingCancelled(record: record) {
            bookings[key] = (RoomBooked(booking: event.booking, foundAt: event.foundAt), true)
        } else if let event = try? ComputersCounted(record: record) {
            counts[key] = event
        } else {
            unread.insert(key)
        }
    }
}
