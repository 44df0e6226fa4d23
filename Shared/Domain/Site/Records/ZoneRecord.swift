public import Events
public import Geometry

/// A part of a site whose visits are counted, such as an exhibition: rooms, an outline, or both.
public struct ZoneRecord: Hashable, Sendable {
    public var id: ZoneID
    public var name: String
    public var names: Translations
    public var kind: String
    /// The floor of the outline; nil outdoors.
    public var floor: FloorID?
    /// Corners in metres; empty for a zone of rooms only.
    public var outline: Ring
    public var rooms: [RoomID]

    public init(
        id: ZoneID, name: String, names: Translations = Translations(), kind: String,
        floor: FloorID? = nil, outline: Ring = [], rooms: [RoomID] = []
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

extension ZoneRecord: SiteRecord {
    public static let kind = RecordKind(
        "zone", "zones", list: "zones", shape: .area, most: 20_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.zones }
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("names", languages: \.names),
        RecordField("kind", \.kind), RecordField("floor", \.floor, with: "place"),
        RecordField("outline", \.outline, with: "place"),
        RecordField("rooms", \.rooms, with: "place"),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] {
        (floor.map { [.floor($0)] } ?? []) + rooms.map { .room($0) }
    }
    public var category: String? { kind }
    public var allNames: [String] { names.all(with: name) }
    public var cornerCount: Int { outline.corners.count }

    /// A zone is removed with its own floor. If rooms of it are removed, it stays unless nothing is
    /// left.
    public func without(_ isGone: (SiteThing) -> Bool) -> Self? {
        if let floor, isGone(.floor(floor)) { return nil }
        var left = self
        left.rooms.removeAll { isGone(.room($0)) }
        return left.rooms.isEmpty && left.outline.isEmpty ? nil : left
    }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkNames(names)
        validation.checkText(kind, "kind")
        if let floor { validation.checkFloor(floor) }
        validation.checkOutline(outline)
        validation.checkCount(rooms.count, "rooms")
        if outline.isEmpty, rooms.isEmpty {
            validation.add(.emptyZone, "a zone has an outline, or rooms")
        }
        for room in rooms { validation.checkRoom(room) }
    }
}

extension SiteThing {
    public static func zone(_ id: ZoneID) -> Self { Self(ZoneRecord.kind, id.text) }
}
