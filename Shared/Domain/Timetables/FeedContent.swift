public import Events

/// The bookings of a feed with their rooms.
public struct FeedContent: Hashable, Sendable {
    /// Each id once.
    public var bookings: [RoomBooking] = []
    /// The ids of bookings that the feed calls cancelled.
    public var cancelled: Set<EventID> = []
    /// Bookings that are left out since their room has too many in a week.
    private(set) var crowdedOut: Set<EventID> = []
    /// Whether bookings may be missing, so that absence says nothing.
    public var isIncomplete = false

    public init() {}

    /// - Parameters:
    ///   - keepsPeople: whether the names of people are kept.
    ///   - matching: finds the rooms, and notes the places that are none.
    ///   - id: the id of the instance with a key.
    public init(
        _ found: [FoundBooking], site: SiteID, feed: FeedID, keepsPeople: Bool,
        matching: inout RoomMatching, id: (String) -> EventID
    ) {
        var seen: Set<EventID> = []
        for instance in found where instance.ends > instance.starts {
            let id = id(instance.key)
            guard !instance.isCancelled else {
                cancelled.insert(id)
                continue
            }
            let rooms = matching.rooms(of: instance)
            guard !rooms.isEmpty, seen.insert(id).inserted else { continue }
            bookings.append(
                RoomBooking(
                    site: site, id: id, feed: feed,
                    rooms: Array(rooms.sorted().prefix(BookingLimits.rooms)),
                    starts: instance.starts.wholeMilliseconds,
                    ends: instance.ends.wholeMilliseconds, isAllDay: instance.isAllDay,
                    title: tidied(instance.title), kind: instance.kind.flatMap(Self.kind),
                    people: keepsPeople ? Self.people(instance.people) : [],
                    isTentative: instance.isTentative))
        }
        // The same id may stand for a cancelled instance and for the one in its place.
        cancelled.subtract(seen)
    }

    /// The bookings of a room that begin in a week or go on in it, as far as they are kept. So one
    /// feed can't fill the answers about all rooms of its site.
    public static let mostOfRoomAndWeek = 2_000

    private struct RoomWeek: Hashable {
        var room: RoomID
        var week: Int64
    }

    /// Leaves out bookings of rooms that have too many in a week: those that start last. Where rows
    /// have them, they stay there as they are.
    ///
    /// - Returns: the rooms.
    public mutating func leaveOutCrowds(
        in horizon: TimetableHorizon, most: Int = FeedContent.mostOfRoomAndWeek
    ) -> [RoomID] {
        // Nothing is left out of a feed that has so few at all.
        guard bookings.count > most else { return [] }
        let week = 7 * TimetableHorizon.microsecondsPerDay
        var counts: [RoomWeek: Int] = [:]
        var rooms: Set<RoomID> = []
        bookings.sort { ($0.starts, $0.id) < ($1.starts, $1.id) }
        for booking in bookings where horizon.meets(booking.starts, booking.ends) {
            let first = max(booking.starts, horizon.begins).microseconds / week
            let last = min(booking.ends, horizon.ends).microseconds / week
            let places = booking.rooms.flatMap { room in
                (first...max(first, last)).map { RoomWeek(room: room, week: $0) }
            }
            let crowded = places.filter { counts[$0, default: 0] >= most }
            guard crowded.isEmpty else {
                rooms.formUnion(crowded.map(\.room))
                crowdedOut.insert(booking.id)
                continue
            }
            for place in places { counts[place, default: 0] += 1 }
        }
        bookings.removeAll { crowdedOut.contains($0.id) }
        return rooms.sorted()
    }

    private static func kind(_ text: String) -> String? {
        let text = tidied(text)
        return text.isEmpty ? nil : text
    }

    private static func people(_ names: [String]) -> [String] {
        names.prefix(BookingLimits.people).map { tidied($0) }.filter { !$0.isEmpty }
    }
}

extension Timestamp {
    /// In whole milliseconds, as events carry it.
    public var wholeMilliseconds: Timestamp { Timestamp(milliseconds: milliseconds) }
}
