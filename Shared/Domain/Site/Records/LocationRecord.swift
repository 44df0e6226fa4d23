public import Events
public import Geometry

/// A named point for surveys, contents and routes.
public struct LocationRecord: Hashable, Sendable {
    public var id: LocationID
    public var name: String?
    public var names: Translations
    public var floor: FloorID
    public var room: RoomID?
    /// Metres in the site's frame.
    public var point: Point

    public init(
        id: LocationID, name: String? = nil, names: Translations = Translations(), floor: FloorID,
        room: RoomID?, point: Point
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.floor = floor
        self.room = room
        self.point = point
    }
}

extension LocationRecord: SiteRecord {
    public static let kind = RecordKind(
        "location", "locations", list: "locations", shape: .point, most: 200_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.locations }
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("names", languages: \.names),
        RecordField("floor", \.floor, with: "place"), RecordField("room", \.room, with: "place"),
        RecordField("x", \.point.x, with: "place"), RecordField("y", \.point.y, with: "place"),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [.floor(floor)] + (room.map { [.room($0)] } ?? []) }
    public var allNames: [String] { names.all(with: name) }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkNames(names)
        validation.checkFloor(floor)
        validation.checkPoint(point)
        if let room { validation.checkRoom(room, on: floor) }
    }
}

extension SiteThing {
    public static func location(_ id: LocationID) -> Self { Self(LocationRecord.kind, id.text) }
}
