public import Events
public import Geometry

/// One way from place to place within a site: through a door, up a flight of stairs, along a path.
///
/// Connections meet where their stops are at the same point of a floor, and in the rooms that their
/// stops name. A fact that is nil is unknown and is never assumed.
public struct ConnectionRecord: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A path, the middle line of a corridor, a street.
        case walk
        /// A door, a gate, or an opening without a leaf.
        case door
        case stairs
        case ramp
        case lift
        case platformLift = "platform-lift"
        case escalator
    }

    public var id: ConnectionID
    public var kind: Kind
    public var name: String?
    public var names: Translations
    /// At least two; in the order of travel if the connection is one-way. A lift may have many. A
    /// door has two at one point, in the two rooms that it joins.
    public var stops: [ConnectionStop]
    /// The bends between two stops, in metres, without the stops.
    public var line: [Point]
    public var isOneWay: Bool
    public var accessible: Accessibility
    /// The width at the narrowest point, in metres.
    public var widthMetres: Double?
    /// Rise over run at the steepest point, from the first stop to the last; positive upwards.
    public var slope: Double?
    /// The height of the last stop over the first, in metres. Only a grid of heights states it,
    /// together with the slope.
    public var riseMetres: Double?
    /// Whether an outdoor way is on a bridge, in a tunnel or under a roof, where the height of the
    /// ground is not its own.
    public var isOffGround: Bool
    /// A value of OpenStreetMap's key `surface`, such as asphalt or gravel.
    public var surface: String?
    /// The height of the highest kerb or threshold, in metres.
    public var kerbMetres: Double?
    /// Whether a door opens by itself.
    public var isAutomatic: Bool?
    /// The number of steps of a flight of stairs.
    public var steps: Int?
    /// Whether stairs or another way on one floor lead up, where no slope states it.
    public var leads: Ascent?
    public var handrail: Handrail?
    public var doorKind: DoorKind?
    /// The side to which a hinged door opens.
    public var opens: DoorSwing?
    /// Whether a door is of glass.
    public var isGlass: Bool?
    /// Whether the ground has ribs or knobs that a cane finds.
    public var hasTactilePaving: Bool?
    /// The value of OpenStreetMap's key `opening_hours`; nil for always open.
    public var openingHours: String?

    public init(
        id: ConnectionID, kind: Kind, name: String? = nil, names: Translations = Translations(),
        stops: [ConnectionStop], line: [Point] = [], isOneWay: Bool = false,
        accessible: Accessibility = .unknown, widthMetres: Double? = nil, slope: Double? = nil,
        riseMetres: Double? = nil, isOffGround: Bool = false, surface: String? = nil,
        kerbMetres: Double? = nil, isAutomatic: Bool? = nil,
        steps: Int? = nil, leads: Ascent? = nil, handrail: Handrail? = nil,
        doorKind: DoorKind? = nil, opens: DoorSwing? = nil, isGlass: Bool? = nil,
        hasTactilePaving: Bool? = nil, openingHours: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.names = names
        self.stops = stops
        self.line = line
        self.isOneWay = isOneWay
        self.accessible = accessible
        self.widthMetres = widthMetres
        self.slope = slope
        self.riseMetres = riseMetres
        self.isOffGround = isOffGround
        self.surface = surface
        self.kerbMetres = kerbMetres
        self.isAutomatic = isAutomatic
        self.steps = steps
        self.leads = leads
        self.handrail = handrail
        self.doorKind = doorKind
        self.opens = opens
        self.isGlass = isGlass
        self.hasTactilePaving = hasTactilePaving
        self.openingHours = openingHours
    }
}

/// A point where a traveller can enter and leave a connection.
public struct ConnectionStop: Hashable, Sendable {
    /// Nil outdoors.
    public var floor: FloorID?
    public var room: RoomID?
    /// Metres in the site's frame.
    public var point: Point

    public init(floor: FloorID?, room: RoomID? = nil, point: Point) {
        self.floor = floor
        self.room = room
        self.point = point
    }
}

extension ConnectionRecord: SiteRecord {
    public static let kind = RecordKind(
        "connection", "connections", list: "connections", shape: .way, most: 200_000,
        isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.connections }
    public static let fields: [RecordField<Self>] = [
        RecordField("kind", \.kind), RecordField("name", \.name),
        RecordField("names", languages: \.names), RecordField("stops", \.stops),
        RecordField("line", \.line, with: "stops"), RecordField("oneWay", \.isOneWay),
        RecordField("accessible", \.accessible), RecordField("widthMetres", \.widthMetres),
        RecordField("slope", \.slope), RecordField("riseMetres", \.riseMetres, with: "slope"),
        RecordField("offGround", \.isOffGround), RecordField("surface", \.surface),
        RecordField("kerbMetres", \.kerbMetres), RecordField("automatic", \.isAutomatic),
        RecordField("steps", \.steps), RecordField("leads", \.leads),
        RecordField("handrail", \.handrail), RecordField("doorKind", \.doorKind),
        RecordField("opens", \.opens), RecordField("glass", \.isGlass),
        RecordField("tactilePaving", \.hasTactilePaving),
        RecordField("openingHours", \.openingHours),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { stops.flatMap(\.references) }
    public var category: String? { kind.rawValue }
    public var allNames: [String] { names.all(with: name) }

    /// Turns the connection round: its last stop becomes the first.
    public mutating func reverse() {
        stops.reverse()
        line.reverse()
        slope = slope.map { -$0 }
        riseMetres = riseMetres.map { -$0 }
        leads = leads?.reversed
        handrail = handrail?.reversed
        opens = opens?.reversed
    }

    /// A lift that still has stops on two floors only loses its other stops.
    public func without(_ isGone: (SiteThing) -> Bool) -> Self? {
        guard kind == .lift || kind == .platformLift else { return nil }
        var left = self
        left.stops.removeAll { $0.references.contains(where: isGone) }
        return Set(left.stops.map(\.floor)).count > 1 ? left : nil
    }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkNames(names)
        validation.checkText(surface, "surface")
        validation.checkText(openingHours, "openingHours")
        validation.checkFact(widthMetres, "widthMetres", SiteLimits.widthMetres)
        validation.checkFact(slope, "slope", SiteLimits.slope)
        validation.checkFact(riseMetres, "riseMetres", SiteLimits.riseMetres)
        validation.checkFact(kerbMetres, "kerbMetres", SiteLimits.kerbMetres)
        validation.checkFact(steps.map(Double.init), "steps", SiteLimits.steps)
        checkShape(&validation)
        for stop in stops {
            if let floor = stop.floor { validation.checkFloor(floor) }
            validation.checkPoint(stop.point)
            if let room = stop.room { validation.checkRoom(room, on: stop.floor) }
        }
    }

    private func checkShape(_ validation: inout SiteValidation) {
        if !(2...SiteLimits.stopsPerConnection).contains(stops.count) {
            validation.add(
                .stopCountOutOfRange, "\(stops.count) stops, 2 to \(SiteLimits.stopsPerConnection)")
        }
        if !line.isEmpty, stops.count != 2 {
            validation.add(
                .stopCountOutOfRange, "a line is between two stops, not \(stops.count)")
        }
        switch kind {
        case .lift, .platformLift:
            if Set(stops.map(\.floor)).count < 2 {
                validation.add(.sameFloor, "all stops are on one floor")
            }
        case .walk, .door, .stairs, .ramp, .escalator: break
        }
        guard line.count <= SiteLimits.cornersPerRoom else {
            validation.add(
                .tooManyCorners, "\(line.count) bends, at most \(SiteLimits.cornersPerRoom)")
            return
        }
        if let bend = line.first(where: { !validation.isInRange($0) }) {
            validation.add(.coordinateOutOfRange, "bend \(bend)")
        }
    }
}

extension ConnectionStop {
    fileprivate var references: [SiteThing] {
        (floor.map { [.floor($0)] } ?? []) + (room.map { [.room($0)] } ?? [])
    }
}
