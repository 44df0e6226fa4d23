public import Events

/// The choices for the merge of a facility system's list of rooms.
public struct RoomListOptions: Hashable, Sendable {
    /// The header of each column that is not found by its words, such as `number: Raum-Nr.`.
    public var columns: [RoomList.Column: String]
    /// The floor of rooms whose rows state none.
    public var floor: FloorID?
    /// The list of the last time: a room that it had and the new one lacks has vanished.
    public var former: RoomList?
    /// Whether rooms that have vanished are removed, with their doors.
    public var removesVanished: Bool
    /// Whether rooms that stand on another floor in the list are moved there. They lose their
    /// outline and their doors, since these are of the former floor.
    public var movesRooms: Bool

    public init(
        columns: [RoomList.Column: String] = [:], floor: FloorID? = nil, former: RoomList? = nil,
        removesVanished: Bool = false, movesRooms: Bool = false
    ) {
        self.columns = columns
        self.floor = floor
        self.former = former
        self.removesVanished = removesVanished
        self.movesRooms = movesRooms
    }
}
