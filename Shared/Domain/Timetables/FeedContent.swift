public import Events

/// The bookings of a feed with their rooms.
public struct FeedContent: Hashable, Sendable {
    /// Each id once.
    public var bookings: [RoomBooking] = []
    /// The ids of bookings that the feed calls cancelled.
    public var cancelled: Set<EventID> = []
    /// Bookings that are left out since their week has too many.
    private(set) var crowdedOut: Set<EventID> = []
    /// The time of these, as far as they are not over.
    public private(set) var crowded: CrowdedTime?
    /// Whether bookings may be missing, so that absence says nothing.
    public var isIncomplete = false
    /// Whether its bookings are in more rooms than the limit, so that it can't be used.
    public private(set) var hasTooManyRooms = false

    /// The rooms of all bookings of a feed, each booking counted with its own. Each is a row.
    public static let mostRooms = 400_000

    public init() {}

    /// - Parameters:
    ///   - keepsPeople: whether the names of people are kept.
    ///   - matching: finds the rooms, and notes the places that are none.
    ///   - mostRooms: the limit of the rooms of all bookings together.
    ///   - id: the id of the instance with a key.
    public init(
        _ found: [FoundBooking], site: SiteID, feed: FeedID, keepsPeople: Bool,
        matching: inout RoomMatching, mostRooms: Int = FeedContent.mostRooms,
        id: (String) -> EventID
    ) {
        var (seen, roomCount): (Set<EventID>, Int) = ([], 0)
        for instance in found {
            let id = id(instance.key)
            // A cancellation may lack its end.
            guard !instance.isCancelled else {
                cancelled.insert(id)
                continue
            }
            // Events have whole milliseconds, and one of a booking within one can't be read.
            let starts = instance.starts.wholeMilliseconds
            let ends = instance.ends.wholeMilliseconds
            guard ends > starts else { continue }
            let rooms = matching.rooms(of: instance)
            guard !rooms.isEmpty, seen.insert(id).inserted else { continue }
            roomCount += min(rooms.count, BookingLimits.rooms)
            guard roomCount <= mostRooms else {
                hasTooManyRooms = true
                break
            }
            bookings.append(
                RoomBooking(
                    site: site, id: id, feed: feed,
                    rooms: Array(rooms.sorted().prefix(BookingLimits.rooms)),
                    starts: starts, ends: ends, isAllDay: instance.isAllDay,
                    title: instance.title,
                    kind: instance.kind.flatMap { $0.isEmpty ? nil : $0 },
                    people: keepsPeople ? instance.people : [],
                    isTentative: instance.isTentative))
        }
        // The same id may stand for a cancelled instance and for the one in its place.
        cancelled.subtract(seen)
    }

    /// The bookings of a room that begin in a week or go on in it, as far as they are kept.
    public static let mostOfRoomAndWeek = 2_000
    /// The same of all rooms: forty in each of 400. An answer about free rooms touches three weeks
    /// and has 50,000 bookings at most, so one feed can't fill it.
    public static let mostOfWeek = 16_000

    /// Leaves out bookings in weeks that have too many, of a room or of all: those that start last.
    /// Where rows have them, they are cancelled, so that a week's rows have a limit.
    ///
    /// - Returns: lines for the report.
    public mutating func leaveOutCrowds(
        in horizon: TimetableHorizon, at now: Timestamp,
        mostOfRoom: Int = FeedContent.mostOfRoomAndWeek, mostOfAll: Int = FeedContent.mostOfWeek
    ) -> [String] {
        // Nothing is left out of a feed that has so few at all.
        guard bookings.count > min(mostOfRoom, mostOfAll) else { return [] }
        var (all, ofRooms): (WeekCounts, [RoomID: [Int]]) = (WeekCounts(horizon), [:])
        var (isFull, fullRooms): (Bool, Set<RoomID>) = (false, [])
        bookings.sort { ($0.starts, $0.id) < ($1.starts, $1.id) }
        for booking in bookings where horizon.meets(booking.starts, booking.ends) {
            let weeks = all.weeks(of: booking)
            if all.has(mostOfAll, in: weeks) {
                isFull = true
                crowdedOut.insert(booking.id)
                continue
            }
            let full = booking.rooms.first { room in
                ofRooms[room]?[weeks].contains { $0 >= mostOfRoom } == true
            }
            if let full {
                fullRooms.insert(full)
                crowdedOut.insert(booking.id)
                continue
            }
            all.add(weeks)
            for week in weeks {
                for room in booking.rooms { ofRooms[room, default: all.none][week] += 1 }
            }
        }
        let leftOut = bookings.filter { crowdedOut.contains($0.id) && $0.ends > now }
        crowded = CrowdedTime(spanning: leftOut.map { CrowdedTime($0) })
        bookings.removeAll { crowdedOut.contains($0.id) }
        return (isFull ? ["all rooms: more than \(mostOfAll) bookings in a week"] : [])
            + fullRooms.sorted().map { "\($0): more than \(mostOfRoom) bookings in a week" }
    }
}

extension Timestamp {
    /// In whole milliseconds, as events carry it.
    public var wholeMilliseconds: Timestamp { Timestamp(milliseconds: milliseconds) }
}
