import Events
import Wire

extension RandomEvents {
    mutating func timetables() -> [any WireEvent] {
        [
            RoomBooked(booking: booking(), foundAt: time()),
            BookingMoved(
                booking: booking(), formerRooms: list(3) { RoomID($0.name()) },
                formerStarts: time(), formerEnds: time(), foundAt: time()),
            BookingCancelled(booking: booking(), foundAt: time()),
            ComputersCounted(
                site: SiteID(name()), feed: FeedID(name()), room: RoomID(name()),
                available: maybe { $0.integer(0...1_000_000) },
                total: maybe { $0.integer(0...1_000_000) }, asOf: time()),
        ]
    }

    private mutating func booking() -> RoomBooking {
        let starts = time()
        return RoomBooking(
            site: SiteID(name()), id: id(), feed: FeedID(name()),
            rooms: [RoomID(name())] + list(3) { RoomID($0.name()) }, starts: starts,
            ends: Timestamp(milliseconds: starts.milliseconds + Int64(integer(1...86_400_000))),
            isAllDay: integer(0...1) == 0, title: text(40), kind: maybe { $0.text(40) },
            people: list(3) { $0.text(40) }, isTentative: integer(0...1) == 0)
    }
}
