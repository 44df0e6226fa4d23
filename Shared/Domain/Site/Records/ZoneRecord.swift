public import Events

/// A part of a site that matters to somebody, such as an exhibition: rooms, an outline, or both.
public struct ZoneRecord: Hashable, Sendable {
    public var id: ZoneID
    public var name: String
    public var names: Translations
    public var kind: String
    /// The floor of the outline; nil outdoors.
    public var floor: FloorID?
    /// Corners in order, metres, [x, y] each; empty for a zone of rooms only.
    public var outline: [[Double]]
    public var rooms: [RoomID]

    public init(
        id: ZoneID, name: String, names: Translations = Translations(), kind: String,
        floor: FloorID? = nil, outline: [[Double]] = [], rooms: [RoomID] = []
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.kind = kind
        self.floor = floor
        self.outline = outline
        self.rooms = rooms
    }
}
