public import Events
import JSON

/// A room's bookings of a week, as the visitor's page shows them.
public struct ShownWeek: Hashable, Sendable {
    /// A booking, with the times of day as the building's clocks show them.
    public struct Booking: Hashable, Sendable {
        public var starts: Timestamp
        public var ends: Timestamp
        public var startTime: String
        public var endTime: String
        public var isAllDay: Bool
        /// Nil for readers who see only that the room is taken.
        public var title: String?
    }

    /// The beginnings of the week's days, and the end of the last one.
    public var days: [Range<Timestamp>]
    public var bookings: [Booking]
    /// An IANA time zone.
    public var timeZone: String
    /// Whether all feeds of the room cover the week and were read.
    public var isKnown: Bool
    /// When the source was last read, if that is long ago.
    public var lastReadAt: Timestamp?

    /// The answer of `GET /v1/sites/{site}/rooms/{id}/timetable`.
    ///
    /// - Throws: a fault for JSON of another shape.
    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            try ShownWeek(FieldReader(WireValue(root)))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        timeZone = try fields.required("timeZone").text()
        isKnown = try fields.required("known").bool()
        let isOld = try fields.required("old").bool()
        lastReadAt = isOld ? try fields.optional("asOf")?.time() : nil
        days = try fields.elements("days") { (value) throws(WireFault) in
            let fields = try FieldReader(value)
            let (from, until) = (
                try fields.required("from").time(), try fields.required("until").time()
            )
            return from..<max(from, until)
        }
        bookings = try fields.elements("bookings") { (value) throws(WireFault) in
            let fields = try FieldReader(value)
            let title = try fields.optional("title")?.text()
            return Booking(
                starts: try fields.required("starts").time(),
                ends: try fields.required("ends").time(),
                startTime: try fields.required("startTime").text(),
                endTime: try fields.required("endTime").text(),
                isAllDay: try fields.required("allDay").bool(),
                title: title == "" ? nil : title)
        }
    }
}

/// The rooms that are free for the next hour, as the visitor's page lists them.
public struct ShownFreeRooms: Hashable, Sendable {
    public struct Room: Hashable, Sendable {
        public var id: String
        public var name: String
        public var floor: String
        public var freeUntil: Timestamp?
        /// The way there, if the question said from where.
        public var metres: Double?
        public var seconds: Double?
        /// Free ones of all; nil where they are not counted, or not known.
        public var freeComputers: Int?
        public var computers: Int?
    }

    /// The nearest first, if the question said from where.
    public var rooms: [Room]
    /// The number of rooms of which no timetable is known.
    public var unknownCount: Int
    /// An IANA time zone.
    public var timeZone: String

    /// The answer of `GET /v1/sites/{site}/rooms/free`.
    ///
    /// - Throws: a fault for JSON of another shape.
    public init(json: [UInt8]) throws(WireFault) {
        self = try withJSON(json) { (root) throws(WireFault) in
            let fields = try FieldReader(WireValue(root))
            return ShownFreeRooms(
                rooms: try fields.elements("rooms", Self.room),
                unknownCount: try fields.elements("leftOut") { (value) throws(WireFault) in
                    try FieldReader(value).required("reason").text()
                }.count { $0 == "timetable-unknown" },
                timeZone: try fields.required("timeZone").text())
        }
    }

    private init(rooms: [Room], unknownCount: Int, timeZone: String) {
        self.rooms = rooms
        self.unknownCount = unknownCount
        self.timeZone = timeZone
    }

    private static func room(_ value: WireValue) throws(WireFault) -> Room {
        let fields = try FieldReader(value)
        let counted = try fields.optional("computers").map { (value) throws(WireFault) in
            try FieldReader(value)
        }
        let (free, all) = (counted?.optional("available"), counted?.optional("total"))
        return Room(
            id: try fields.required("room").text(), name: try fields.required("name").text(),
            floor: try fields.required("floor").text(),
            freeUntil: try fields.optional("freeUntil")?.time(),
            metres: try fields.optional("distanceMetres")?.number(),
            seconds: try fields.optional("seconds")?.number(),
            freeComputers: try free?.integer(in: 0...1_000_000),
            computers: try all?.integer(in: 0...1_000_000))
    }
}
