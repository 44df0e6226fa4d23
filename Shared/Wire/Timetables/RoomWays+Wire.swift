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
