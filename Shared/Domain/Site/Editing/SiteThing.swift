public import Events

/// Names one record of a site's document.
public enum SiteThing: Hashable, Sendable {
    case building(BuildingID)
    case floor(FloorID)
    case floorPlan(FloorPlanID)
    case room(RoomID)
    case location(LocationID)
    case connection(ConnectionID)
    case zone(ZoneID)
    case beacon(BeaconID)
    case accessPoint(HardwareAddress)
    case content(ContentID)
    case directoryEntry(DirectoryID)

    /// What it is, for programs.
    public var kind: String {
        switch self {
        case .building: "building"
        case .floor: "floor"
        case .floorPlan: "floor-plan"
        case .room: "room"
        case .location: "location"
        case .connection: "connection"
        case .zone: "zone"
        case .beacon: "beacon"
        case .accessPoint: "access-point"
        case .content: "content"
        case .directoryEntry: "directory-entry"
        }
    }

    /// How contents and directory entries name it; nil where they can't.
    var place: PlaceReference? {
        switch self {
        case .building(let id): .building(id)
        case .floor(let id): .floor(id)
        case .room(let id): .room(id)
        case .location(let id): .location(id)
        case .zone(let id): .zone(id)
        default: nil
        }
    }
}

/// A record that a site's document holds a list of.
public protocol SiteRecord: Hashable, Sendable {
    /// Where a document keeps the records of this kind.
    static var records: WritableKeyPath<SiteDocument, [Self]> { get }
    var thing: SiteThing { get }
}

extension BuildingRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.buildings }
    public var thing: SiteThing { .building(id) }
}

extension FloorRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.floors }
    public var thing: SiteThing { .floor(id) }
}

extension FloorPlanRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.floorPlans }
    public var thing: SiteThing { .floorPlan(id) }
}

extension RoomRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.rooms }
    public var thing: SiteThing { .room(id) }
}

extension LocationRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.locations }
    public var thing: SiteThing { .location(id) }
}

extension ConnectionRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.connections }
    public var thing: SiteThing { .connection(id) }
}

extension ZoneRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.zones }
    public var thing: SiteThing { .zone(id) }
}

extension SiteBeacon: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.beacons }
    public var thing: SiteThing { .beacon(id) }
}

extension AccessPointPlace: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.accessPointPlaces }
    public var thing: SiteThing { .accessPoint(address) }
}

extension ContentRecord: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.contents }
    public var thing: SiteThing { .content(id) }
}

extension DirectoryEntry: SiteRecord {
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.directory }
    public var thing: SiteThing { .directoryEntry(id) }
}
