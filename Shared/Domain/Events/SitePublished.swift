/// A site as it was published, whole (topic `site`, key `site`).
public struct SitePublished: Hashable, Sendable {
    public var site: SiteID
    /// Counts publications from 1.
    public var version: Int
    public var publishedAt: Timestamp
    public var document: SiteDocument

    public init(site: SiteID, version: Int, publishedAt: Timestamp, document: SiteDocument) {
        self.site = site
        self.version = version
        self.publishedAt = publishedAt
        self.document = document
    }
}

/// Buildings, floors, rooms and locations in one frame of metres.
public struct SiteDocument: Hashable, Sendable {
    public var name: String
    public var names: Translations
    /// Where x = 0, y = 0 lies, WGS84 degrees.
    public var originLatitude: Double
    public var originLongitude: Double
    /// Degrees clockwise from true north to the y axis.
    public var bearingDegrees: Double
    public var buildings: [BuildingRecord]
    public var floors: [FloorRecord]
    public var rooms: [RoomRecord]
    public var locations: [LocationRecord]
    public var connections: [ConnectionRecord]
    /// Which access points may be used; empty for all.
    public var accessPoints: AccessPointRules
    /// Where access points hang, those that are known.
    public var accessPointPlaces: [AccessPointPlace]

    public init(
        name: String, names: Translations = Translations(), originLatitude: Double,
        originLongitude: Double, bearingDegrees: Double,
        buildings: [BuildingRecord] = [], floors: [FloorRecord] = [], rooms: [RoomRecord] = [],
        locations: [LocationRecord] = [], connections: [ConnectionRecord] = [],
        accessPoints: AccessPointRules = AccessPointRules(),
        accessPointPlaces: [AccessPointPlace] = []
    ) {
        self.name = name
        self.names = names
        self.originLatitude = originLatitude
        self.originLongitude = originLongitude
        self.bearingDegrees = bearingDegrees
        self.buildings = buildings
        self.floors = floors
        self.rooms = rooms
        self.locations = locations
        self.connections = connections
        self.accessPoints = accessPoints
        self.accessPointPlaces = accessPointPlaces
    }
}

public struct BuildingRecord: Hashable, Sendable {
    public var id: BuildingID
    public var name: String
    public var names: Translations
    /// IANA time zone, such as Europe/London.
    public var timeZone: String
    public init(
        id: BuildingID, name: String, names: Translations = Translations(), timeZone: String
    ) {
        self.id = id
        self.name = name
        self.names = names
        self.timeZone = timeZone
    }
}

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
    public init(
        id: FloorID, building: BuildingID, ordinal: Int, level: String,
        names: Translations = Translations(), heightMetres: Double? = nil
    ) {
        self.id = id
        self.building = building
        self.ordinal = ordinal
        self.level = level
        self.names = names
        self.heightMetres = heightMetres
    }
}

public struct RoomRecord: Hashable, Sendable {
    public var id: RoomID
    public var floor: FloorID
    public var name: String
    public var names: Translations
    /// room, corridor, stairs, lift or another word; free text for people.
    public var kind: String
    /// Corners in order, metres, [x, y] each; empty when the shape is not known.
    public var outline: [[Double]]
    public init(
        id: RoomID, floor: FloorID, name: String, names: Translations = Translations(),
        kind: String, outline: [[Double]]
    ) {
        self.id = id
        self.floor = floor
        self.name = name
        self.names = names
        self.kind = kind
        self.outline = outline
    }
}

public struct LocationRecord: Hashable, Sendable {
    public var id: LocationID
    public var floor: FloorID
    public var room: RoomID?
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double
    public init(id: LocationID, floor: FloorID, room: RoomID?, x: Double, y: Double) {
        self.id = id
        self.floor = floor
        self.room = room
        self.x = x
        self.y = y
    }
}
