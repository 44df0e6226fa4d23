public import Barriers
internal import Events
internal import JSON

/// A barrier that somebody reports: the body of `POST /v1/sites/{site}/barriers`.
public struct BarrierSubmission: Hashable, Sendable {
    public let kind: BarrierKind
    public let place: BarrierPlace

    private static let known: Set = ["kind", "place"]
    private static let knownOfPlace: Set = [
        "connection", "room", "floor", "x", "y", "latitude", "longitude",
    ]

    /// Reads `{"kind", "place"}`. A place is `{"connection"}`, `{"room"}`, `{"floor"?, "x", "y"}`
    /// or `{"floor"?, "latitude", "longitude"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "a barrier is an object")
            }
            try object.checkMembers(Self.known)
            return try BarrierSubmission(FieldReader(object))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        kind = try fields.required("kind").choice()
        place = try fields.required("place", Self.place)
    }

    private static func place(_ value: WireValue) throws(WireFault) -> BarrierPlace {
        let fields = try FieldReader(value)
        try fields.object.checkMembers(knownOfPlace)
        if let connection = fields.optional("connection") {
            return .connection(try connection.identifier())
        }
        if let room = fields.optional("room") { return .room(try room.identifier()) }
        let floor: FloorID? = try fields.optional("floor")?.identifier()
        if fields.optional("latitude") != nil {
            return .geographic(
                floor: floor, latitude: try fields.required("latitude").latitude(),
                longitude: try fields.required("longitude").longitude())
        }
        return .metres(
            floor: floor, x: try fields.required("x").coordinate(),
            y: try fields.required("y").coordinate())
    }
}
