import Events
import ServiceHost

/// Rows that are at most five seconds old. When a lecture ends, many people ask for the same rooms
/// at once.
///
/// Anyone may ask for ever other times, which are not kept. So few reads run at a time, and fewer
/// of one caller: the fetching shares the pool of connections. Each caller has a queue of his own.
struct RecentSchedules: Sendable {
    private struct Rooms: Hashable, Sendable {
        var site: SiteID
        var rooms: [RoomID]
        var from: Timestamp?
        var until: Timestamp?
    }

    static let keptSeconds: Int64 = 5
    /// Periods are widened to ten minutes of the clock, so that those of two requests are alike.
    private static let stepMicroseconds: Int64 = 600_000_000
    private static let mostEntries = 64
    /// Rooms and bookings of all entries; a booking has some hundred bytes.
    private static let mostWeight = 100_000

    private let rows: any RoomSchedules
    private let clock: EventClock
    private let scheduled: RecentValues<Rooms, [RoomID: KnownSchedule]>
    private let counted: RecentValues<Rooms, [RoomID: [ComputersCounted]]>
    private let turns = Turns(atOnce: 3, ofOneAtOnce: 2, waiting: 1_024, ofOneWaiting: 256)

    init(_ rows: any RoomSchedules, clock: EventClock) {
        self.rows = rows
        self.clock = clock
        scheduled = RecentValues(
            keptSeconds: Self.keptSeconds, mostEntries: Self.mostEntries,
            mostWeight: Self.mostWeight,
            weigh: { $0.values.reduce($0.count) { $0 + $1.bookings.count } })
        counted = RecentValues(
            keptSeconds: Self.keptSeconds, mostEntries: Self.mostEntries,
            mostWeight: Self.mostWeight,
            weigh: { $0.values.reduce($0.count) { $0 + $1.count } })
    }

    /// - Parameter caller: the name under which this question waits for its turn.
    /// - Throws: a `Problem` with Retry-After where too many reads wait.
    func schedules(
        of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>, for caller: String
    ) async throws -> [RoomID: KnownSchedule] {
        let from = Self.floored(period.lowerBound)
        let until = Self.floored(period.upperBound).advanced(
            byMicroseconds: Self.stepMicroseconds)
        return try await scheduled.value(
            of: Rooms(site: site, rooms: rooms, from: from, until: until), clock: clock,
            turns: turns, caller: caller
        ) { [rows] in
            try await rows.schedules(of: rooms, at: site, in: from..<max(from, until))
        }
    }

    func counts(
        of rooms: [RoomID], at site: SiteID, for caller: String
    ) async throws -> [RoomID: [ComputersCounted]] {
        try await counted.value(
            of: Rooms(site: site, rooms: rooms), clock: clock, turns: turns, caller: caller
        ) { [rows] in
            try await rows.counts(of: rooms, at: site)
        }
    }

    private static func floored(_ moment: Timestamp) -> Timestamp {
        let rest = moment.microseconds % stepMicroseconds
        return moment.advanced(byMicroseconds: rest < 0 ? -rest - stepMicroseconds : -rest)
    }
}
