import Events
import RoomAnswers
import Timetables

/// The feeds that may book one room, and what is known of the room from them.
struct RoomFeeds {
    private let covering: [FeedStore.Row]
    private let naming: Set<FeedID>

    /// - Parameters:
    ///   - building: the building of the room.
    ///   - bookedBy: the feeds that have ever booked the room.
    init(
        of room: RoomID, in building: BuildingID?, among feeds: [FeedStore.Row],
        bookedBy: Set<FeedID>
    ) {
        let naming = bookedBy.union(feeds.filter { $0.feed.room == room }.map(\.feed.id))
        covering = feeds.filter { row in
            naming.contains(row.feed.id)
                || row.feed.room == nil && row.feed.building != nil
                    && row.feed.building == building
        }
        self.naming = naming
    }

    /// Nil where none of the feeds was ever read.
    ///
    /// A disabled feed grows old, so it says something only where no enabled feed was read. One
    /// that is enabled and was never read may book the room at any time, also a building's feed.
    ///
    /// - Parameter hasUnread: whether some of the room's bookings can't be read.
    func schedule(
        _ bookings: [RoomBooking], hasUnread: Bool, now: Timestamp
    ) -> KnownSchedule? {
        let enabled = covering.filter(\.feed.isEnabled)
        let read = covering.filter { $0.report.goodAt != nil }
        let current = read.filter(\.feed.isEnabled)
        let asked = current.isEmpty ? read : current
        guard let oldest = asked.compactMap(\.report.goodAt).min() else { return nil }
        let named = asked.filter(names)
        let saying = named.isEmpty ? asked : named
        return KnownSchedule(
            bookings: bookings, asOf: oldest, isOld: asked.contains { Self.isOld($0, now) },
            isNamed: !named.isEmpty, isComplete: current.count == enabled.count && !hasUnread,
            isOfRoom: hasUnread || covering.contains(where: names),
            knownFrom: saying.compactMap(\.report.coversFrom).max(),
            knownUntil: saying.compactMap(\.report.coversUntil).min())
    }

    private func names(_ row: FeedStore.Row) -> Bool { naming.contains(row.feed.id) }

    private static func isOld(_ row: FeedStore.Row, _ now: Timestamp) -> Bool {
        let most = Int64(row.feed.schedule.oldSeconds) * 1_000_000
        return row.report.isOlder(thanMicroseconds: most, at: now)
    }
}
