public import Events
import JSON
import Wayfinding

/// The body of `POST /v1/travel-times`: a start as in `POST /v1/routes`, and rooms by their ids.
public struct TravelTimesSubmission: Hashable, Sendable {
    /// The request's start, profile and wishes; its destinations are empty.
    public var route: RouteSubmission
    public var rooms: [RoomID]

    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            try TravelTimesSubmission(try routeObject(root))
        }
    }

    private init(_ fields: FieldReader) throws(WireFault) {
        route = try RouteSubmission(wishes: fields)
        guard route.from != nil else {
            throw WireFault(.fieldMissing, path: "from", "this field is needed")
        }
        rooms = try fields.elements("to") { (value) throws(WireFault) in
            try value.identifier()
        }
        guard (1...TravelTimesQuery.mostRooms).contains(rooms.count) else {
            throw WireFault(
                .fieldOutOfRange, path: "to",
                "1 to \(TravelTimesQuery.mostRooms) rooms are expected")
        }
    }
}
