public import Events

/// That a route begins or ends near a place and not at it, since nobody has drawn how one gets in.
public struct ApproximateEnd: Hashable, Sendable {
    public enum Missing: String, Hashable, Sendable, CaseIterable {
        /// No door leads into the room.
        case door = "door-unknown"
        /// Its doors lead to nothing that hangs together with the rest.
        case way = "way-unknown"
        /// No door leads into the building.
        case entrance = "entrance-unknown"
    }

    public var missing: Missing
    public var room: RoomID?
    public var building: BuildingID?
    /// Metres to the nearest edge of the place as the crow flies. How far it is to walk is not
    /// known, and is no part of the route's length.
    public var straightMetres: Double

    public init(
        missing: Missing, room: RoomID? = nil, building: BuildingID? = nil, straightMetres: Double
    ) {
        self.missing = missing
        self.room = room
        self.building = building
        self.straightMetres = straightMetres
    }
}
