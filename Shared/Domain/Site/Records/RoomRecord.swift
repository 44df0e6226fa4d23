public import Events
public import Geometry

/// A room, or any other outline on a floor. Rooms may lie within one another; a point is in the
/// smallest.
public struct RoomRecord: Hashable, Sendable {
    public var id: RoomID
    public var floor: FloorID
    public var name: String
    public var names: Translations
    /// room, corridor, stairs, lift, toilet or another word; free text for people.
    public var kind: String
    /// Corners in metres; empty if the shape is unknown.
    public var outline: Ring
    /// Holes in the outline, such as a courtyard; each in the form of the outline.
    public var holes: [Ring]
    /// Whether wheels can be used in it, as somebody stated.
    public var accessible: Accessibility
    /// Whether the public may not enter.
    public var isRestricted: Bool
    /// The value of OpenStreetMap's key `opening_hours`; nil for always open.
    public var openingHours: String?
    /// The floor covering, as a value of OpenStreetMap's key `surface`, such as carpet or tiles.
    public var surface: String?
    /// Whether the floor has ribs or knobs that a cane finds, such as a guide line.
    public var hasTactilePaving: Bool?
    /// For whom the room is. Nil: for the staff if it is restricted, else for everybody.
    public var visibility: Visibility?
    /// For whom the room's timetable is; nil for those who see the room.
    public var timetableVisibility: Visibility?
    /// Whether somebody proposed the room, and no administrator has accepted it. Only drafts have
    /// such rooms.
    public var isProposed: Bool

    public init(
        id: RoomID, floor: FloorID, name: String, names: Translations = Translations(),
        kind: String, outline: Ring, holes: [Ring] = [],
        accessible: Accessibility = .unknown, isRestricted: Bool = false,
        openingHours: String? = nil, surface: String? = nil, hasTactilePaving: Bool? = nil,
        visibility: Visibility? = nil, timetableVisibility: Visibility? = nil,
        isProposed: Bool = false
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
        self.surface = surface
        self.hasTactilePaving = hasTactilePaving
        self.visibility = visibility
        self.timetableVisibility = timetableVisibility
        self.isProposed = isProposed
    }
}

extension RoomRecord: SiteRecord {
    public static let kind = RecordKind(
        "room", "rooms", list: "rooms", shape: .area, most: 100_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.rooms }
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("names", languages: \.names),
        RecordField("kind", \.kind), RecordField("floor", \.floor),
        RecordField("outline", \.outline), RecordField("holes", \.holes, with: "outline"),
        RecordField("accessible", \.accessible), RecordField("restricted", \.isRestricted),
        RecordField("openingHours", \.openingHours), RecordField("surface", \.surface),
        RecordField("tactilePaving", \.hasTactilePaving),
        RecordField("visibility", \.visibility),
        RecordField("timetableVisibility", \.timetableVisibility),
        RecordField("proposed", \.isProposed),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [.floor(floor)] }
    public var category: String? { kind }
    public var allNames: [String] { names.all(with: name) }
    public var cornerCount: Int {
        holes.reduce(outline.corners.count) { $0 + $1.corners.count }
    }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkNames(names)
        validation.checkText(kind, "kind")
        validation.checkFloor(floor)
        validation.checkOutline(outline)
        checkHoles(&validation)
        validation.checkText(openingHours, "openingHours")
        validation.checkText(surface, "surface")
    }

    private func checkHoles(_ validation: inout SiteValidation) {
        guard !holes.isEmpty else { return }
        guard holes.count <= SiteLimits.holesPerRoom else {
            validation.add(.tooMany, "\(holes.count) holes, at most \(SiteLimits.holesPerRoom)")
            return
        }
        let polygon = outline.polygon
        for hole in holes {
            validation.checkOutline(hole)
            guard let polygon, hole.corners.allSatisfy({ polygon.distance(from: $0) < 0.001 })
            else {
                validation.add(.holeOutsideOutline, "a hole is not within the outline")
                return
            }
        }
    }
}

extension SiteThing {
    public static func room(_ id: RoomID) -> Self { Self(RoomRecord.kind, id.text) }
}

extension SiteDocument {
    /// The document as it is published: without rooms that are only proposed, and without what
    /// can't be without them.
    public var withoutProposals: SiteDocument {
        let proposed = rooms.filter(\.isProposed)
        guard !proposed.isEmpty else { return self }
        var accepted = self
        accepted.removeAll(Set(proposed.map(\.thing)))
        return accepted
    }
}
