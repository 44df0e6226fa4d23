import Events
public import Geometry

/// The complete data of a campus in one frame of metres. A site publishes it as one version.
public struct SiteDocument: Hashable, Sendable {
    public var name: String
    public var names: Translations
    /// The sources that maps of the site must credit, as their licences demand; nil for none.
    public var attribution: String?
    /// WGS84 degrees of the point x = 0, y = 0.
    public var originLatitude: Double
    public var originLongitude: Double
    /// The direction of the y axis in degrees clockwise from true north.
    public var bearingDegrees: Double
    /// The outline of the campus: corners in order, in metres; empty if the shape is unknown.
    public var outline: Ring
    public var buildings: [BuildingRecord]
    public var floors: [FloorRecord]
    public var floorPlans: [FloorPlanRecord]
    public var rooms: [RoomRecord]
    public var locations: [LocationRecord]
    public var connections: [ConnectionRecord]
    public var zones: [ZoneRecord]
    public var beacons: [SiteBeacon]
    public var scanners: [SiteScanner]
    public var contents: [ContentRecord]
    public var directory: [DirectoryEntry]
    /// Surveys that no longer count. The log keeps them, so that a discard can be undone.
    public var surveyDiscards: [SurveyDiscard]
    /// The access points that may be used for positioning; empty for all.
    public var accessPoints: AccessPointRules
    /// The places of those access points whose place is known.
    public var accessPointPlaces: [AccessPointPlace]
    /// The site whose radio map locates devices here. Only a testers' site has one.
    public var borrows: Borrowing?
    /// Who sees the site without signing in. Nil: nobody, unless the installation's settings open
    /// it.
    public var audience: SiteAudience?
    /// The secret in the link of a site that is seen by those who have it.
    public var linkSecret: String?

    public init(
        name: String, names: Translations = Translations(), attribution: String? = nil,
        originLatitude: Double, originLongitude: Double, bearingDegrees: Double,
        outline: Ring = [],
        buildings: [BuildingRecord] = [], floors: [FloorRecord] = [],
        floorPlans: [FloorPlanRecord] = [], rooms: [RoomRecord] = [],
        locations: [LocationRecord] = [], connections: [ConnectionRecord] = [],
        zones: [ZoneRecord] = [], beacons: [SiteBeacon] = [], scanners: [SiteScanner] = [],
        contents: [ContentRecord] = [],
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
        self.scanners = scanners
        self.contents = contents
        self.directory = directory
        self.surveyDiscards = surveyDiscards
        self.accessPoints = accessPoints
        self.accessPointPlaces = accessPointPlaces
    }
}

extension RecordKind {
    /// The kinds of record in a document, in its order. This is the only list of them.
    public static let all: [any SiteRecord.Type] = [
        BuildingRecord.self, FloorRecord.self, FloorPlanRecord.self, RoomRecord.self,
        LocationRecord.self, ConnectionRecord.self, ZoneRecord.self, SiteBeacon.self,
        SiteScanner.self, ContentRecord.self, DirectoryEntry.self, AccessPointPlace.self,
    ]
}

extension SiteDocument {
    /// The members of a document beside its records.
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("names", languages: \.names),
        RecordField("attribution", \.attribution), RecordField("outline", \.outline),
        RecordField("surveyDiscards", \.surveyDiscards),
        RecordField("accessPoints", \.accessPoints), RecordField("audience", \.audience),
        RecordField("linkSecret", \.linkSecret),
        // The records' coordinates are relative to the frame, so a merge never changes it.
        RecordField(unmerged: "origin", \.origin),
        RecordField(unmerged: "bearingDegrees", \.bearingDegrees),
        RecordField(unmerged: "borrows", \.borrows),
    ]

    private var origin: GeographicPoint {
        get { frame.origin }
        set { (originLatitude, originLongitude) = (newValue.latitude, newValue.longitude) }
    }
}
