/// A booking is new, or its title, kind, people or certainty changed (topic `timetables`, key
/// `site/booking`).
public struct RoomBooked: Hashable, Sendable {
    public var booking: RoomBooking
    /// The time at which the change was found in the feed.
    public var foundAt: Timestamp

    public init(booking: RoomBooking, foundAt: Timestamp) {
        self.booking = booking
        self.foundAt = foundAt
    }
}

/// A booking has another time or other rooms (topic `timetables`, key `site/booking`).
public struct BookingMoved: Hashable, Sendable {
    /// The booking as it is now.
    public var booking: RoomBooking
    public var formerRooms: [RoomID]
    public var formerStarts: Timestamp
    public var formerEnds: Timestamp
    public var foundAt: Timestamp

    public init(
        booking: RoomBooking, formerRooms: [RoomID], formerStarts: Timestamp,
        formerEnds: Timestamp, foundAt: Timestamp
    ) {
        self.booking = booking
        self.formerRooms = formerRooms
        self.formerStarts = formerStarts
        self.formerEnds = formerEnds
        self.foundAt = foundAt
    }
}

/// A booking is no longer in its feed, or the feed says that it is cancelled (topic `timetables`,
/// key `site/booking`). The event repeats the booking, since compaction removes the one before.
public struct BookingCancelled: Hashable, Sendable {
    public var booking: RoomBooking
    public var foundAt: Timestamp

    public init(booking: RoomBooking, foundAt: Timestamp) {
        self.booking = booking
        self.foundAt = foundAt
    }
}
