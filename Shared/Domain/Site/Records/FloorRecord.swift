public import Events
public import Geometry

public struct FloorRecord: Hashable, Sendable {
    public var id: FloorID
    public var building: BuildingID
    /// The floor's place from below; 0 is the floor of the main entrance.
    public var ordinal: Int
    /// The text on the floor's signs.
    public var level: String
    /// The floor's full name, such as Ground floor. Without one, the level is shown.
    public var names: Translations
    /// Metres above the floor of ordinal 0; nil if nobody has measured it.
    public var heightMetres: Double?
    /// Corners in metres; empty if the floor's shape is unknown.
    public var outline: Ring
    /// For whom the floor is, with all of its rooms; nil for everybody.
    public var visibility: Visibility?

    public init(
        id: FloorID, building: BuildingID, ordinal: Int, level: String,
        names: Translations = Translations(), heightMetres: Double? = nil,
        outline: Ring = [], visibility: Visibility? = nil
    ) {
        self.id = id
        self.building = building
        self.ordinal = ordinal
        self.level = level
        self.names = names
        self.heightMetres = heightMetres
        self.outline = outline
        self.visibility = visibility
    }
}

extension FloorRecord: SiteRecord {
    public static let kind = RecordKind(
        "floor", "floors", list: "floors", shape: .area, most: 20_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.floors }
    public static let fields: [RecordField<Self>] = [
        RecordField("building", \.building, with: "place"),
        RecordField("ordinal", \.ordinal, with: "place"), RecordField("level", \.level),
        RecordField("names", languages: \.names), RecordField("heightMetres", \.heightMetres),
        RecordField("outline", \.outline), RecordField("visibility", \.visibility),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [.building(building)] }
    public var allNames: [String] { names.all(with: level) }
    public var cornerCount: Int { outline.corners.count }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(level, "level")
        validation.checkNames(names)
        validation.checkOutline(outline)
        validation.checkFact(
            heightMetres, "heightMetres", SiteLimits.floorHeightMetres, "-1000 to 1000")
        validation.checkBuilding(building)
        if !SiteLimits.floorOrdinal.contains(ordinal) {
            validation.add(.ordinalOutOfRange, "ordinal \(ordinal), within -100 to 300")
        }
        if !validation.isFirst(Storey(building: building, ordinal: ordinal)) {
            let building = shown(building.text)
            validation.add(.duplicateOrdinal, "ordinal \(ordinal) twice in \(building)")
        }
    }
}

private struct Storey: Hashable {
    let building: BuildingID
    let ordinal: Int
}

extension SiteThing {
    public static func floor(_ id: FloorID) -> Self { Self(FloorRecord.kind, id.text) }
}
