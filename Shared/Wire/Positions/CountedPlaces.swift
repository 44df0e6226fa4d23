public import Events
public import JSON

/// How many positions and devices a room had in a period. Positions in no room are a row, too.
public struct RoomCount: Sendable, Listed {
    public static let listName: StaticString = "rooms"

    public var room: RoomID?
    /// The floor of the room as it is published now; nil for a removed one.
    public var floor: FloorID?
    /// The area of the room as it is published now.
    public var squareMetres: Double?
    public var positions: Int64
    /// Each device counts once.
    public var devices: Int64
    /// Each device counts once in each hour.
    public var deviceHours: Int64
    /// The hours with any device.
    public var hours: Int64

    public init(
        room: RoomID?, positions: Int64, devices: Int64, deviceHours: Int64, hours: Int64
    ) {
        self.room = room
        self.positions = positions
        self.devices = devices
        self.deviceHours = deviceHours
        self.hours = hours
    }

    public var cursor: String? { room?.text ?? "" }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("room", room?.text)
        writer.field("floor", floor?.text)
        writer.field("squareMetres", squareMetres, decimals: 2)
        writer.field("positions", positions)
        writer.field("devices", devices)
        writer.field("deviceHours", deviceHours)
        writer.field("hours", hours)
    }
}

/// How many positions and devices an hour had.
public struct HourCount: Sendable, Listed {
    public static let listName: StaticString = "hours"

    public var hour: Timestamp
    public var positions: Int64
    /// Each device counts once, in however many rooms it was.
    public var devices: Int64

    public init(hour: Timestamp, positions: Int64, devices: Int64) {
        self.hour = hour
        self.positions = positions
        self.devices = devices
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("hour", hour.text)
        writer.field("positions", positions)
        writer.field("devices", devices)
    }
}

/// The visits of one zone that began in a period.
public struct VisitSummary: Sendable, Listed {
    public static let listName: StaticString = "zones"

    public var zone: Zone
    public var visits: Int64
    /// Each device counts once.
    public var devices: Int64
    /// The visits that last still.
    public var lasting: Int64
    /// Nil where no visit has ended, as the other times.
    public var medianSeconds: Double?
    public var meanSeconds: Double?
    public var longestSeconds: Double?

    public init(
        zone: Zone, visits: Int64, devices: Int64, lasting: Int64, medianSeconds: Double?,
        meanSeconds: Double?, longestSeconds: Double?
    ) {
        self.zone = zone
        self.visits = visits
        self.devices = devices
        self.lasting = lasting
        self.medianSeconds = medianSeconds
        self.meanSeconds = meanSeconds
        self.longestSeconds = longestSeconds
    }

    public var cursor: String? { "\(zone.kind.rawValue)~\(zone.id.text)" }

    /// The zone that a cursor names; nil for a text that is none.
    public static func zone(ofCursor text: String) -> Zone? {
        let parts = text.split(separator: "~")
        guard parts.count == 2, let kind = ZoneKind(rawValue: String(parts[0])),
            let id = ZoneID(validating: String(parts[1]))
        else { return nil }
        return Zone(kind, id)
    }

    public func writeMembers(to writer: inout JSONWriter) {
        writer.field("kind", zone.kind.rawValue)
        writer.field("zone", zone.id.text)
        writer.field("visits", visits)
        writer.field("devices", devices)
        writer.field("lasting", lasting)
        writer.field("medianSeconds", medianSeconds, decimals: 1)
        writer.field("meanSeconds", meanSeconds, decimals: 1)
        writer.field("longestSeconds", longestSeconds, decimals: 1)
    }
}
