import Events
public import Geometry

/// A campus with all that is known of it, in one frame of metres: what a site publishes as one
/// version.
public struct SiteDocument: Hashable, Sendable {
    public var name: String
    public var names: Translations
    /// Whom maps of the site have to name, as the licence of what it was made from asks; nil for
    /// nobody.
    public var attribution: String?
    /// Where x = 0, y = 0 lies, WGS84 degrees.
    public var originLatitude: Double
    public var originLongitude: Double
    /// Degrees clockwise from true north to the y axis.
    public var bearingDegrees: Double
    /// The campus's own ground: corners in order, metres; empty when the shape is not known.
    public var outline: Ring
    public var buildings: [BuildingRecord]
    public var floors: [FloorRecord]
    public var floorPlans: [FloorPlanRecord]
    public var rooms: [RoomRecord]
    public var locations: [LocationRecord]
    public var connections: [ConnectionRecord]
    public var zones: [ZoneRecord]
    public var beacons: [SiteBeacon]
    public var contents: [ContentRecord]
    public var directory: [DirectoryEntry]
    /// Surveys that no longer count; the log keeps them, so that this can be taken back.
    public var surveyDiscards: [SurveyDiscard]
    /// Which access points may be used; empty for all.
    public var accessPoints: AccessPointRules
    /// Where access points hang, those that are known.
    public var accessPointPlaces: [AccessPointPlace]
    /// Whose radio map it is located with; only a testers' site borrows.
    public var borrows: Borrowing?

    public init(
        name: String, names: Translations = Translations(), attribution: String? = nil,
        originLatitude: Double, originLongitude: Double, bearingDegrees: Double,
        outline: Ring = [],
        buildings: [BuildingRecord] = [], floors: [FloorRecord] = [],
        floorPlans: [FloorPlanRecord] = [], rooms: [RoomRecord] = [],
        locations: [LocationRecord] = [], connections: [ConnectionRecord] = [],
        zones: [ZoneRecord] = [], beacons: [SiteBeacon] = [], contents: [ContentRecord] = [],
        directory: [DirectoryEntry] = [], surveyDiscards: [SurveyDiscard] = [],
        accessPoints: AccessPointRules = AccessPointRules(),
        accessPointPlaces: [AccessPointPlace] = []
    ) {
        self.name = name
        self.names = names
        self.attribution = attribution
        self.originLatitude = originLatitude
        self.originLongitude = originLongitude
        self.bearingDegrees = bearingDegrees
        self.outline = outline
        self.buildings = buildings
        self.floors = floors
        self.floorPlans = floorPlans
        self.rooms = rooms
        self.locations = locations
        self.connections = connections
        self.zones = zones
        self.beacons = beacons
        self.contents = contents
        self.directory = directory
        self.surveyDiscards = surveyDiscards
        self.accessPoints = accessPoints
        self.accessPointPlaces = accessPointPlaces
    }
}

extension RecordKind {
    /// The kinds of records that a document has, in its order. This is the only list of them.
    public static let all: [any SiteRecord.Type] = [
        BuildingRecord.self, FloorRecord.self, FloorPlanRecord.self, RoomRecord.self,
        LocationRecord.self, ConnectionRecord.self, ZoneRecord.self, SiteBeacon.self,
        ContentRecord.self, DirectoryEntry.self, AccessPointPlace.self,
    ]
}

extension SiteDocument {
    /// The members of a document beside its records.
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("names", languages: \.names),
        RecordField("attribution", \.attribution), RecordField("outline", \.outline),
        RecordField("surveyDiscards", \.surveyDiscards),
        RecordField("accessPoints", \.accessPoints),
        // Nothing moves the frame that the records' metres are in.
        RecordField(unmerged: "origin", \.origin),
        RecordField(unmerged: "bearingDegrees", \.bearingDegrees),
        RecordField(unmerged: "borrows", \.borrows),
    ]

    /// Its latitude and longitude.
    private var origin: GeographicPoint {
        get { frame.origin }
        set { (originLatitude, originLongitude) = (newValue.latitude, newValue.longitude) }
    }
}
