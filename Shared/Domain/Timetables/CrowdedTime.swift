public import Events

/// The time of bookings that are left out, since their weeks have too many. From its beginning on
/// nobody knows which rooms are free.
public struct CrowdedTime: Hashable, Sendable {
    /// The start of the first of them that is not over.
    public var begins: Timestamp
    /// The end of the last.
    public var ends: Timestamp

    public init(begins: Timestamp, ends: Timestamp) {
        self.begins = begins
        self.ends = ends
    }

    init(_ booking: RoomBooking) {
        self.init(begins: booking.starts, ends: booking.ends)
    }

    /// The time from the beginning of the first to the end of the last. Nil where there is none.
    init?(spanning times: [CrowdedTime]) {
        guard let begins = times.map(\.begins).min(), let ends = times.map(\.ends).max() else {
            return nil
        }
        self.init(begins: begins, ends: ends)
    }
}
