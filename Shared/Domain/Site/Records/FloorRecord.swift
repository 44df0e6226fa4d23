public import Events

public struct FloorRecord: Hashable, Sendable {
    public var id: FloorID
    public var building: BuildingID
    /// 0 is the main entrance's.
    public var ordinal: Int
    /// What the sign says.
    public var level: String
    /// What the floor is called in full, such as Ground floor; the level where nothing is said.
    public var names: Translations
    /// Metres from the level of ordinal 0 to the floor; nil where nobody has measured it.
    public var heightMetres: Double?
    /// Corners in order, metres, [x, y] each; empty when the floor's own shape is not known.
    public var outline: [[Double]]

    public init(
        id: FloorID, building: BuildingID, ordinal: Int, level: String,
        names: Translations = Translations(), heightMetres: Double? = nil,
        outline: [[Double]] = []
    ) {
        self.id = id
        self.building = building
        self.ordinal = ordinal
        self.level = level
        self.names = names
        self.heightMetres = heightMetres
        self.outline = outline
    }
}
