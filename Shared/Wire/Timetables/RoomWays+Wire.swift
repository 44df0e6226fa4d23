public import Events
import JSON
public import RoomAvailability

/// The router's answer to `POST /v1/travel-times`, as another service reads it.
public struct RoomWays: Hashable, Sendable {
    public var byRoom: [RoomID: RoomWay] = [:]

    /// - Throws: a fault for JSON of another shape.
    public init(json body: [UInt8]) throws(WireFault) {
        byRoom = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            let ways = try FieldReader(object).elements("times") { (value) throws(WireFault) in
                let fields = try FieldReader(value)
                let room: RoomID = try fields.required("room").identifier()
                return (room, try Self.way(fields))
            }
            return Dictionary(ways, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func way(_ fields: FieldReader) throws(WireFault) -> RoomWay {
        guard let reason = fields.optional("reason") else {
            return .found(
                seconds: try fields.required("seconds").number(),
                metres: try fields.required("distanceMetres").number())
        }
        return .none(code: try FieldReader(reason).required("code").text(maximumBytes: 64))
    }
}

/// The question to the router for the ways to rooms: the body of `POST /v1/travel-times`.
public struct RoomWaysQuestion: Hashable, Sendable {
    public static let mostRooms = 1_000

    public var site: SiteID
    public var rooms: [RoomID]
    public var isStepFree: Bool
    public var departAt: Timestamp
    private var kind: StaticString
    private var place: String

    /// - Parameter near: the start as a query parameter names it: `room:6.01`, `location:ID`,
    ///   `device:ID` or `position:ID`; without a colon it is a room.
    /// - Throws: a fault for another text.
    public init(
        site: SiteID, near: String, rooms: [RoomID], isStepFree: Bool, departAt: Timestamp
    ) throws(WireFault) {
        self.site = site
        self.rooms = rooms
        self.isStepFree = isStepFree
        self.departAt = departAt
        let parts = near.split(separator: ":", maxSplits: 1).map(String.init)
        switch parts.count == 2 ? parts[0] : "room" {
        case "room": kind = "room"
        case "location": kind = "location"
        case "device": kind = "device"
        case "position": kind = "position"
        default:
            throw WireFault(
                .placeMalformed, path: "near",
                "room:ID, location:ID, device:ID or position:ID is expected")
        }
        place = parts.last ?? ""
    }

    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 256 + 16 * rooms.count)
        writer.beginObject()
        writer.field("site", site.text)
        writer.name("from")
        writer.beginObject()
        writer.field(kind, place)
        writer.endObject()
        writer.name("to")
        writer.beginArray()
        for room in rooms { writer.string(room.text) }
        writer.endArray()
        writer.field("profile", isStepFree ? "step-free-strict" : "walking")
        writer.field("departAt", microseconds: departAt.microseconds)
        writer.endObject()
        return writer.finish()
    }

    public static func == (first: Self, second: Self) -> Bool { first.json == second.json }

    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
