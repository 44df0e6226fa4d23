public import Events
public import JSON

extension RoomBooked: WireEvent {
    public static var eventType: EventType { .roomBooked }
    public static var eventTopic: Topic { .timetables }

    public var recordKey: [UInt8] { booking.recordKey }
    public var eventID: String { "\(booking.id)/booked/\(foundAt.milliseconds)" }
    public var eventTime: Timestamp? { foundAt }
    public var eventSite: SiteID? { booking.site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        booking.writeMembers(to: &writer)
        writer.field("foundAt", foundAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            booking: try RoomBooking(fields), foundAt: try fields.required("foundAt").time())
    }
}

extension BookingMoved: WireEvent {
    public static var eventType: EventType { .bookingMoved }
    public static var eventTopic: Topic { .timetables }

    public var recordKey: [UInt8] { booking.recordKey }
    public var eventID: String { "\(booking.id)/moved/\(foundAt.milliseconds)" }
    public var eventTime: Timestamp? { foundAt }
    public var eventSite: SiteID? { booking.site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        booking.writeMembers(to: &writer)
        writer.array("formerRooms", formerRooms.map(\.text))
        writer.field("formerStarts", formerStarts)
        writer.field("formerEnds", formerEnds)
        writer.field("foundAt", foundAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            booking: try RoomBooking(fields), formerRooms: try fields.rooms("formerRooms"),
            formerStarts: try fields.required("formerStarts").time(),
            formerEnds: try fields.required("formerEnds").time(),
            foundAt: try fields.required("foundAt").time())
    }
}

extension BookingCancelled: WireEvent {
    public static var eventType: EventType { .bookingCancelled }
    public static var eventTopic: Topic { .timetables }

    public var recordKey: [UInt8] { booking.recordKey }
    public var eventID: String { "\(booking.id)/cancelled/\(foundAt.milliseconds)" }
    public var eventTime: Timestamp? { foundAt }
    public var eventSite: SiteID? { booking.site }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        booking.writeMembers(to: &writer)
        writer.field("foundAt", foundAt)
        writer.endObject()
    }

    public init(reading object: JSONObject) throws(WireFault) {
        let fields = FieldReader(object)
        self.init(
            booking: try RoomBooking(fields), foundAt: try fields.required("foundAt").time())
    }
}

extension RoomBooking {
    /// The key of a booking's events in the log.
    public var recordKey: [UInt8] { Self.recordKey(site, id) }

    /// The key of a booking's events in the log.
    public static func recordKey(_ site: SiteID, _ id: EventID) -> [UInt8] {
        RecordKey.joined(site.text, id.description)
    }

    /// Writes the booking; events and answers share these members. People are left out where there
    /// are none.
    func writeMembers(to writer: inout JSONWriter) {
        writer.field("site", site)
        writer.field("id", id)
        writer.field("feed", feed)
        writer.array("rooms", rooms.map(\.text))
        writer.field("starts", starts)
        writer.field("ends", ends)
        writer.field("allDay", isAllDay)
        writer.field("title", title)
        writer.field("kind", kind)
        if !people.isEmpty { writer.array("people", people) }
        writer.field("tentative", isTentative)
    }

    init(_ fields: FieldReader) throws(WireFault) {
        let starts = try fields.required("starts").time()
        let ends = try fields.required("ends")
        guard try ends.time() > starts else {
            throw ends.fault(.fieldOutOfRange, "a booking ends after it starts")
        }
        let rooms = try fields.rooms("rooms")
        guard !rooms.isEmpty else {
            throw WireFault(.fieldMissing, path: "rooms", "a booking is of one room at least")
        }
        self.init(
            site: try fields.required("site").identifier(.siteMalformed),
            id: try fields.required("id").eventID(),
            feed: try fields.required("feed").identifier(),
            rooms: rooms, starts: starts, ends: try ends.time(),
            isAllDay: try fields.optional("allDay")?.bool() ?? false,
            title: try fields.required("title").text(),
            kind: try fields.optional("kind")?.text(),
            people: try fields.elements("people") { (name) throws(WireFault) in try name.text() },
            isTentative: try fields.optional("tentative")?.bool() ?? false)
    }
}

extension FieldReader {
    fileprivate func rooms(_ name: StaticString) throws(WireFault) -> [RoomID] {
        try elements(name) { (id) throws(WireFault) in try id.identifier() }
    }
}
