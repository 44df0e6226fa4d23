public import Events

/// A point that surveys, contents and ways can name.
public struct LocationRecord: Hashable, Sendable {
    public var id: LocationID
    public var name: String?
    public var names: Translations
    public var floor: FloorID
    public var room: RoomID?
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double

    public init(
        id: LocationID, name: String? = nil, names: Translations = Translations(), floor: FloorID,
        room: RoomID?, x: Double, y: Double
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.floor = floor
        self.room = room
        self.x = x
        self.y = y
    }
}
