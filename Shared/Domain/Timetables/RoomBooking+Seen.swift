public import Events
public import Site

extension RoomBooking {
    /// The booking as the reader may see it. Only the staff see titles, kinds and people. A
    /// stranger sees when the room is taken.
    ///
    /// - Parameters:
    ///   - room: the room whose timetable is read.
    ///   - isShown: whether another room of the booking may be named.
    public func seen(
        by reader: Reader, in room: RoomID, where isShown: (RoomID) -> Bool
    ) -> RoomBooking {
        var seen = self
        seen.rooms = rooms.filter { $0 == room || isShown($0) }
        guard reader < .staff else { return seen }
        seen.rooms = [room]
        (seen.title, seen.kind, seen.people) = ("", nil, [])
        return seen
    }
}
