public import Events

/// One way of getting from place to place within a site: through a door, up a flight of stairs, along a path.
///
/// Connections meet where their stops lie on the same floor at the same point, and within the rooms that
/// their stops name. What is not known is left out, and never taken for granted.
public struct ConnectionRecord: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A path, a corridor's middle line, a street.
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
    /// At least two, in the order of travel where it is one-way. A lift may have many; a door has two at
    /// one point, in the rooms that it joins.
    public var stops: [ConnectionStop]
    /// Metres, [x, y] each: bends between two stops, without the stops.
    public var line: [[Double]]
    public var isOneWay: Bool
    public var accessible: Accessibility
    /// Metres, where it is narrowest.
    public var widthMetres: Double?
    /// Rise over run from the first stop to the last, positive upwards, where it is steepest.
    public var slope: Double?
    /// A value of OpenStreetMap's key `surface`, such as asphalt or gravel.
    public var surface: String?
    /// Metres; the highest kerb or threshold on it.
    public var kerbMetres: Double?
    /// Whether a door opens by itself.
    public var isAutomatic: Bool?
    /// How many steps stairs have.
    public var steps: Int?
    /// As OpenStreetMap's key `opening_hours` writes it; nil for always.
    public var openingHours: String?

    public init(
        id: ConnectionID, kind: Kind, name: String? = nil, names: Translations = Translations(),
        stops: [ConnectionStop], line: [[Double]] = [], isOneWay: Bool = false,
        accessible: Accessibility = .unknown, widthMetres: Double? = nil, slope: Double? = nil,
        surface: String? = nil, kerbMetres: Double? = nil, isAutomatic: Bool? = nil,
        steps: Int? = nil, openingHours: String? = nil
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
        self.surface = surface
        self.kerbMetres = kerbMetres
        self.isAutomatic = isAutomatic
        self.steps = steps
        self.openingHours = openingHours
    }
}

/// Where a connection can be entered and left.
public struct ConnectionStop: Hashable, Sendable {
    /// Nil outdoors.
    public var floor: FloorID?
    public var room: RoomID?
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double

    public init(floor: FloorID?, room: RoomID? = nil, x: Double, y: Double) {
        self.floor = floor
        self.room = room
        self.x = x
        self.y = y
    }
}
