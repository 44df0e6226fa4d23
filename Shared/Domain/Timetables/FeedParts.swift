public import Events

/// The free computers of a room, as a source of any kind gives them.
public struct FoundCount: Hashable, Sendable {
    /// The room in the words of the source.
    public var place: String
    /// Nil where the source has no number.
    public var available: Int?
    public var total: Int?

    public init(place: String, available: Int?, total: Int?) {
        self.place = place
        self.available = available
        self.total = total
    }
}

/// The parts of a feed's answer.
public struct FeedParts: Hashable, Sendable {
    public var bookings: [FoundBooking] = []
    public var counts: [FoundCount] = []
    /// Parts of the answer that were left out, for people.
    public var leftOut: [String] = []
    /// Whether bookings are missing because of what was left out. Then nothing is cancelled by its
    /// absence.
    public var isIncomplete = false
    /// The moment from which the answer says nothing, such as the end of a grid's last week. Nil
    /// for an answer that is for all times.
    public var coversUntil: Timestamp?

    public init() {}

    private static let incomplete =
        "Something can't be read, so bookings that are missing do not count as cancelled."

    /// The lines of the report: what was left out and, before it, what follows from that.
    public var reportLines: [String] {
        Array(((isIncomplete ? [Self.incomplete] : []) + leftOut).prefix(UnmatchedPlaces.most))
    }
}

/// Why an answer can't be read.
public struct FeedFault: Error, Hashable, Sendable {
    /// For people, without any secret.
    public var reason: String
    /// The path that found nothing.
    public var path: String?

    public init(_ reason: String, path: String? = nil) {
        self.reason = reason
        self.path = path
    }
}

/// The free computers of rooms after a fetch.
public struct ComputerChanges: Hashable, Sendable {
    /// Rooms whose numbers changed.
    public var counted: [ComputersCounted] = []
    /// Rooms that the feed no longer has; their keys get a tombstone.
    public var gone: [RoomID] = []

    public init() {}

    /// - Parameters:
    ///   - known: the rows of the feed.
    ///   - found: the rooms with their numbers now, each once.
    public static func between(
        known: [ComputersCounted], found: [ComputersCounted]
    ) -> ComputerChanges {
        var changes = ComputerChanges()
        var before: [RoomID: ComputersCounted] = [:]
        for row in known { before[row.room] = row }
        for count in found {
            let former = before.removeValue(forKey: count.room)
            if former == nil || former?.available != count.available
                || former?.total != count.total
            {
                changes.counted.append(count)
            }
        }
        changes.gone = before.keys.sorted()
        return changes
    }
}
