public import Events

/// The bookings of a feed with their rooms.
public struct FeedContent: Hashable, Sendable {
    /// Each id once.
    public var bookings: [RoomBooking] = []
    /// The ids of bookings that the feed calls cancelled.
    public var cancelled: Set<EventID> = []
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
