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

    /// Why its number counts as unknown, for people; nil where it can be used.
    public var fault: String? {
        let room = tidied(place, atMost: 120)
        guard let available else { return "no number of free computers: \(room)" }
        guard let total, available > total else { return nil }
        return "more free computers than there are, \(available) of \(total): \(room)"
    }
}

/// The parts of a feed's answer.
public struct FeedParts: Hashable, Sendable {
    public var bookings: [FoundBooking] = []
    public var counts: [FoundCount] = []
    /// Parts of the answer that were left out, for people.
    public var leftOut: [String] = []
    /// Whether bookings are missing because of what was left out. Then nothing is cancelled by its
    /// absence, unless too many are missing.
    public var isIncomplete = false
    /// The times of which the answer says something, such as the weeks of a grid, in their order
    /// and with gaps between. Empty for an answer that is for all times.
    public var covers: [Range<Timestamp>] = []

    public init() {}

    private static let incomplete =
        "Something can't be read, so bookings that are missing do not count as cancelled."
    private static let cancelling =
        "Something can't be read, but too many bookings are missing: they count as cancelled."

    /// The lines of the report: what was left out and, before it, what follows from that.
    ///
    /// - Parameter cancelsMissing: whether bookings that are missing are cancelled in spite of it.
    public func reportLines(cancelsMissing: Bool = false) -> [String] {
        let first = cancelsMissing ? Self.cancelling : Self.incomplete
        return Array(((isIncomplete ? [first] : []) + leftOut).prefix(UnmatchedPlaces.most))
    }

    /// The time of which the answer says something, now or next. Times after a gap count when they
    /// are next, so that no room looks free in the gap. Nil for an answer that is for all times.
    public func covered(at now: Timestamp) -> Range<Timestamp>? {
        covers.first { $0.upperBound > now } ?? covers.last
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
