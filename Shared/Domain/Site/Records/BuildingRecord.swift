public import Events
public import Geometry

public struct BuildingRecord: Hashable, Sendable {
    public var id: BuildingID
    public var name: String
    public var names: Translations
    /// IANA time zone, such as Europe/London.
    public var timeZone: String
    /// The building's shape from above: corners in order, in metres; empty if it is unknown.
    public var outline: Ring
    public var address: String?

    public init(
        id: BuildingID, name: String, names: Translations = Translations(), timeZone: String,
        outline: Ring = [], address: String? = nil
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.timeZone = timeZone
        self.outline = outline
        self.address = address
    }
}

extension BuildingRecord: SiteRecord {
    public static let kind = RecordKind(
        "building", "buildings", list: "buildings", shape: .area, most: 10_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.buildings }
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("names", languages: \.names),
        RecordField("timeZone", \.timeZone), RecordField("outline", \.outline),
        RecordField("address", \.address),
    ]

    public var idText: String { id.text }
    public var allNames: [String] { names.all(with: name) }
    public var cornerCount: Int { outline.corners.count }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkNames(names)
        validation.checkText(timeZone, "time zone")
        validation.checkText(address, "address")
        validation.checkOutline(outline)
    }
}

extension SiteThing {
    public static func building(_ id: BuildingID) -> Self { Self(BuildingRecord.kind, id.text) }
}
