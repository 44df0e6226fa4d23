public import Events

/// The end of a route that leads only near a place, since the map does not show how to get in.
public struct ApproximateEnd: Hashable, Sendable {
    public enum Missing: String, Hashable, Sendable, CaseIterable {
        /// The map has no door into the room.
        case door = "door-unknown"
        /// The room has doors, but no connections join them to the rest of the site.
        case way = "way-unknown"
        /// The map has no door into the building.
        case entrance = "entrance-unknown"
    }

    public var missing: Missing
    public var room: RoomID?
    public var building: BuildingID?
    /// Metres from the route to the nearest edge of the place in a straight line. The walking
    /// distance is unknown and not part of the route's length.
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
