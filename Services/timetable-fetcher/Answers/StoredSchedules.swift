import Events
import Postgres
import RoomAnswers
import RoomAvailability
import ServiceHost
import Site
import Timetables

/// The schedules and counts of rooms, from the rows.
struct StoredSchedules: RoomSchedules {
    private struct Rooms: Hashable, Sendable {
        var site: SiteID
        var rooms: [RoomID]
    }

    private let feeds: FeedStore
    private let rows: TimetableStore
    private let sites: SiteDirectory
    private let clock: EventClock
    /// The feeds of all bookings of rooms, which are the same for all periods. Finding them takes
    /// longer than a period's bookings.
    private let bookedBy = RecentValues<Rooms, [RoomID: Set<FeedID>]>(
        keptSeconds: 10, mostEntries: 128, mostWeight: 100_000,
        weigh: { $0.values.reduce($0.count) { $0 + $1.count } })

    init(feeds: FeedStore, rows: TimetableStore, sites: SiteDirectory, clock: EventClock) {
        self.feeds = feeds
        self.rows = rows
        self.sites = sites
        self.clock = clock
    }

    /// A room has a schedule if a feed is for it or for its building, or if it was ever booked.
    func schedules(
        of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>
    ) async throws -> [RoomID: KnownSchedule] {
        let feeds = try await feeds.all(site).filter { !$0.feed.kind.countsComputers }
        guard !feeds.isEmpty else { return [:] }
        var bookedBy = try await self.bookedBy.value(
            of: Rooms(site: site, rooms: rooms), now: clock.now
        ) { [rows = self.rows] in
            try await rows.feedsOfRooms(rooms, at: site)
        }
        let (bookings, unreadRooms) = try await self.rows.bookings(
            site: site, rooms: rooms, from: period.lowerBound, to: period.upperBound)
        var booked: [RoomID: [RoomBooking]] = [:]
        for booking in bookings {
            for room in Set(booking.rooms) {
                booked[room, default: []].append(booking)
                // The value that was kept may be older than this booking.
                bookedBy[room, default: []].insert(booking.feed)
            }
        }
        let (index, now) = (sites[whole: site]?.index, clock.now)
        var known: [RoomID: KnownSchedule] = [:]
        for room in rooms {
            let building = index?.room(room).flatMap { index?.floor($0.floor)?.building }
            let covering = RoomFeeds(
                of: room, in: building, among: feeds, bookedBy: bookedBy[room] ?? [])
            known[room] = covering.schedule(
                booked[room] ?? [], hasUnread: unreadRooms.contains(room), now: now)
        }
        return known
    }

    /// A number is as old as the last good fetch of its feed, and is unknown if that is too long
    /// ago. A disabled feed counts no more.
    func counts(of rooms: [RoomID], at site: SiteID) async throws -> [RoomID: [ComputersCounted]] {
        let counts = try await self.rows.counts(site: site, rooms: rooms)
        guard !counts.isEmpty else { return [:] }
        let feeds = Dictionary(
            uniqueKeysWithValues: try await self.feeds.all(site).map { ($0.feed.id, $0) })
        let now = clock.now
        var counted: [RoomID: [ComputersCounted]] = [:]
        for count in counts {
            let row = feeds[count.feed]
            guard row?.feed.isEnabled != false else { continue }
            let schedule = row?.feed.schedule ?? FeedSchedule()
            counted[count.room, default: []].append(
                count.confirmed(
                    at: row?.report.goodAt, now: now, mostSeconds: Int64(schedule.countSeconds)))
        }
        return counted
    }
}
