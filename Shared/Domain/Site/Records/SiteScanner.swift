public import Events
public import Geometry

/// A scanner that hangs at a known place. As a node, it hears devices that send.
public struct SiteScanner: Hashable, Sendable {
    public var id: ScannerID
    public var name: String?
    public var floor: FloorID
    /// Metres in the site's frame.
    public var point: Point
    /// Metres above its floor; nil if nobody has measured it.
    public var heightMetres: Double?

    public init(
        id: ScannerID, name: String? = nil, floor: FloorID, point: Point,
        heightMetres: Double? = nil
    ) {
        self.id = id
        self.name = name
        self.floor = floor
        self.point = point
        self.heightMetres = heightMetres
    }
}

extension SiteScanner: SiteRecord {
    /// Locators hold some 100 kB for each, and their calibration is one event of at most 1 MB.
    public static let kind = RecordKind(
        "scanner", "scanners", list: "scanners", shape: .point, most: 1_000, isOnMap: false)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.scanners }
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("floor", \.floor, with: "place"),
        RecordField("x", \.point.x, with: "place"), RecordField("y", \.point.y, with: "place"),
        RecordField("heightMetres", \.heightMetres, with: "place"),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [.floor(floor)] }
    public var allNames: [String] { name.map { [$0] } ?? [] }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkFloor(floor)
        validation.checkPoint(point)
        validation.checkFact(heightMetres, "heightMetres", -10...100)
    }
}
