import Events

extension SampleEvents {
    static let booking = RoomBooking(
        site: SiteID("bush-house"), id: scanID, feed: FeedID("labs"),
        rooms: [RoomID("s-7.01"), RoomID("s-7.02")], starts: moment,
        ends: Timestamp(milliseconds: 1_795_255_200_000), title: "Logic \"and\" sets",
        kind: "Practical", people: ["Ada Person"], isTentative: true)
    static let plainBooking = RoomBooking(
        site: SiteID("bush-house"), id: scanID, feed: FeedID("labs"), rooms: [RoomID("s-7.01")],
        starts: moment, ends: Timestamp(milliseconds: 1_795_334_400_000), isAllDay: true,
        title: "")
    static let roomBooked = RoomBooked(booking: booking, foundAt: moment)
    static let plainRoomBooked = RoomBooked(booking: plainBooking, foundAt: moment)
    static let bookingMoved = BookingMoved(
        booking: booking, formerRooms: [RoomID("s-7.03")],
        formerStarts: Timestamp(milliseconds: 1_795_244_400_000), formerEnds: moment,
        foundAt: moment)
    static let bookingCancelled = BookingCancelled(booking: booking, foundAt: moment)
    static let computersCounted = ComputersCounted(
        site: SiteID("bush-house"), feed: FeedID("pc-free"), room: RoomID("s-7.01"), available: 0,
        total: 40, asOf: moment)
    static let computersUnknown = ComputersCounted(
        site: SiteID("bush-house"), feed: FeedID("pc-free"), room: RoomID("s-7.01"),
        available: nil, total: nil, asOf: moment)
}
