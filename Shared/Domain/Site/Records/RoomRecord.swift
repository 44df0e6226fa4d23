public import Events

/// A room, or an area of any other kind. Areas may lie within one another; the smallest one is where a point is.
public struct RoomRecord: Hashable, Sendable {
    public var id: RoomID
    public var floor: FloorID
    public var name: String
    public var names: Translations
    /// room, corridor, stairs, lift, toilet or another word; free text for people.
    public var kind: String
    /// Corners in order, metres, [x, y] each; empty when the shape is not known.
    public var outline: [[Double]]
    /// What is cut out of the outline, such as a courtyard; each like the outline.
    public var holes: [[[Double]]]
    /// Whether wheels can get about in it, as somebody has said.
    public var accessible: Accessibility
    /// Whether the public has to stay out.
    public var isRestricted: Bool
    /// As OpenStreetMap's key `opening_hours` writes it; nil for always.
    public var openingHours: String?

    public init(
        id: RoomID, floor: FloorID, name: String, names: Translations = Translations(),
        kind: String, outline: [[Double]], holes: [[[Double]]] = [],
        accessible: Accessibility = .unknown, isRestricted: Bool = false,
        openingHours: String? = nil
    ) {
        self.id = id
        self.floor = floor
        self.name = name
        self.names = names
        self.kind = kind
        self.outline = outline
        self.holes = holes
        self.accessible = accessible
        self.isRestricted = isRestricted
        self.openingHours = openingHours
    }
}
