import Events
import Postgres
import RoomAnswers
import RoomAvailability
import ServiceHost
import Site
import Timetables

/// The schedules and counts of rooms, from the rows.
struct StoredSchedules: RoomSchedules {
    /// A feed that was not read for this many of its intervals is old.
    private static let oldIntervals: Int64 = 12

    let feeds: FeedStore
    let rows: TimetableStore
    let sites: SiteDirectory
    let clock: EventClock

    /// A room has a schedule if a feed is for it or for its building, or if it was ever booked.
    func schedules(
        of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>
    ) async throws -> [RoomID: KnownSchedule] {
        let feeds = try await feeds.all(site).filter { !$0.feed.kind.countsComputers }
        guard !feeds.isEmpty else { return [:] }
        let bookedBy = try await self.rows.feedsOfRooms(rooms, at: site)
        let (bookings, unreadRooms) = try await self.rows.bookings(
            site: site, rooms: rooms, from: period.lowerBound, to: period.upperBound)
        var booked: [RoomID: [RoomBooking]] = [:]
        for booking in bookings {
            for room in Set(booking.rooms) { booked[room, default: []].append(booking) }
        }
        let index = sites[site]?.index
        var known: [RoomID: KnownSchedule] = [:]
        for room in rooms {
            let record = index?.room(room)
            let building = record.flatMap { index?.floor($0.floor)?.building }
            func names(_ row: FeedStore.Row) -> Bool {
                row.feed.room == room || bookedBy[room]?.contains(row.feed.id) == true
            }
            let covering = feeds.filter { row in
                names(row)
                    || row.feed.room == nil && row.feed.building != nil
                        && row.feed.building == building
            }
            // Its own calendar says more than one of the building, so a part is unknown without it.
            let own = covering.filter { $0.feed.room == room && $0.feed.isEnabled }
            let isRead = own.allSatisfy { $0.report.goodAt != nil }
            let read = covering.filter { $0.report.goodAt != nil }
            guard let oldest = read.compactMap(\.report.goodAt).min() else { continue }
            let naming = read.filter(names)
            let saying = naming.isEmpty ? read : naming
            known[room] = KnownSchedule(
                bookings: booked[room] ?? [], asOf: oldest, isOld: read.contains(where: isOld),
                isNamed: !naming.isEmpty, isComplete: isRead && !unreadRooms.contains(room),
                knownFrom: saying.compactMap(\.report.coversFrom).max(),
                knownUntil: saying.compactMap(\.report.coversUntil).min())
        }
        return known
    }

    /// A number is as old as the last good fetch of its feed. A disabled feed counts no more.
    func counts(of rooms: [RoomID], at site: SiteID) async throws -> [RoomID: [ComputersCounted]] {
        let counts = try await self.rows.counts(site: site, rooms: rooms)
        guard !counts.isEmpty else { return [:] }
        let feeds = Dictionary(
            uniqueKeysWithValues: try await self.feeds.all(site).map { ($0.feed.id, $0) })
        var counted: [RoomID: [ComputersCounted]] = [:]
        for count in counts {
            let row = feeds[count.feed]
            guard row?.feed.isEnabled != false else { continue }
            counted[count.room, default: []].append(count.confirmed(at: row?.report.goodAt))
        }
        return counted
    }

    private func isOld(_ row: FeedStore.Row) -> Bool {
        let most = Int64(row.feed.schedule.everySeconds) * Self.oldIntervals * 1_000_000
        return row.report.isOlder(thanMicroseconds: most, at: clock.now)
    }
}
