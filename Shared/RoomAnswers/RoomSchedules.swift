public import Events

/// The bookings of one room, as far as the service knows them.
public struct KnownSchedule: Hashable, Sendable {
    /// Those that touch the period that was asked for, in any order.
    public var bookings: [RoomBooking]
    /// The last time at which the oldest of the room's feeds was read.
    public var asOf: Timestamp
    /// Whether that is longer ago than the feed's own interval permits.
    public var isOld: Bool
    /// Whether a feed is for this room alone, or has ever booked it. Otherwise a feed is for its
    /// building, and nobody knows whether that includes this room.
    public var isNamed: Bool
    /// Whether each of its feeds was read, and all its bookings can be. Otherwise nobody knows when
    /// the room is free.
    public var isComplete: Bool
    /// Whether some feed or booking is of this room, however much is known of it.
    public var isOfRoom: Bool
    /// The moment before which its feeds say nothing, such as the first day of a grid of next week.
    /// Nil where they say something already.
    public var knownFrom: Timestamp?
    /// The moment from which its feeds say nothing, such as the end of a grid's last week. Nil
    /// where they are for all times.
    public var knownUntil: Timestamp?

    /// - Parameter isOfRoom: nil for whether the schedule is named or incomplete.
    public init(
        bookings: [RoomBooking], asOf: Timestamp, isOld: Bool, isNamed: Bool = true,
        isComplete: Bool = true, isOfRoom: Bool? = nil, knownFrom: Timestamp? = nil,
        knownUntil: Timestamp? = nil
    ) {
        self.bookings = bookings
        self.asOf = asOf
        self.isOld = isOld
        self.isNamed = isNamed
        self.isComplete = isComplete
        self.isOfRoom = isOfRoom ?? (isNamed || !isComplete)
        self.knownFrom = knownFrom
        self.knownUntil = knownUntil
    }

    /// Whether its feeds say something of a complete period.
    func covers(_ period: Range<Timestamp>) -> Bool {
        (knownFrom ?? period.lowerBound) <= period.lowerBound
            && (knownUntil ?? period.upperBound) >= period.upperBound
    }
}

/// The rows that answers are made of. The service of timetables has them in PostgreSQL, and tests
/// in memory.
public protocol RoomSchedules: Sendable {
    /// The schedules of rooms in a period. A room that no feed covers is absent, which is different
    /// from one without bookings.
    func schedules(
        of rooms: [RoomID], at site: SiteID, in period: Range<Timestamp>
    ) async throws -> [RoomID: KnownSchedule]

    /// The newest count of each feed for the rooms, unknown where it is too old. A room without any
    /// is absent.
    func counts(of rooms: [RoomID], at site: SiteID) async throws -> [RoomID: [ComputersCounted]]
}
