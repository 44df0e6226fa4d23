public import Events

/// The beacons of one region on one map, as they are written down (docs/beacons.md).
public struct BeaconDocument: Hashable, Sendable {
    public var name: String
    /// The region: all its beacons send this UUID.
    public var uuid: EventID
    /// The floor of the site that the map shows.
    public var floor: FloorID?
    public var map: BeaconMapRecord
    /// Which byte of the major holds the battery, where beacons send it there.
    public var batteryByte: BatteryByte?
    public var pathLoss: PathLoss
    public var proximity: ProximityThresholds
    public var groups: [BeaconGroupRecord]

    public init(
        name: String, uuid: EventID, floor: FloorID? = nil, map: BeaconMapRecord,
        batteryByte: BatteryByte? = nil, pathLoss: PathLoss = PathLoss(),
        proximity: ProximityThresholds = ProximityThresholds(), groups: [BeaconGroupRecord] = []
    ) {
        self.name = name
        self.uuid = uuid
        self.floor = floor
        self.map = map
        self.batteryByte = batteryByte
        self.pathLoss = pathLoss
        self.proximity = proximity
        self.groups = groups
    }
}

/// The map that positions are given on, in units of its own, such as pixels.
public struct BeaconMapRecord: Hashable, Sendable {
    /// Where y grows on the map.
    public enum VerticalAxis: String, Hashable, Sendable, CaseIterable {
        case up
        /// As in images.
        case down
    }

    public var width: Double
    public var height: Double
    /// The scale (Flair 4.1.4): 100 where a hallway of 15 m is 1,500 pixels long.
    public var unitsPerMetre: Double
    public var verticalAxis: VerticalAxis
    /// Where the map's 0, 0 lies in the site's frame, metres.
    public var originX: Double
    public var originY: Double

    public init(
        width: Double, height: Double, unitsPerMetre: Double, verticalAxis: VerticalAxis = .up,
        originX: Double = 0, originY: Double = 0
    ) {
        self.width = width
        self.height = height
        self.unitsPerMetre = unitsPerMetre
        self.verticalAxis = verticalAxis
        self.originX = originX
        self.originY = originY
    }
}

/// Beacons that belong together; their order is that along the way.
public struct BeaconGroupRecord: Hashable, Sendable {
    public var id: BeaconGroupID
    public var name: String?
    public var isEnabled: Bool
    /// Whether the way leads from the last beacon back to the first (Flair 5.0.1).
    public var isRing: Bool
    public var beacons: [BeaconRecord]

    public init(
        id: BeaconGroupID, name: String? = nil, isEnabled: Bool = true, isRing: Bool = false,
        beacons: [BeaconRecord] = []
    ) {
        self.id = id
        self.name = name
        self.isEnabled = isEnabled
        self.isRing = isRing
        self.beacons = beacons
    }
}

/// One beacon on the map. Without a major or a minor it stands for every one of them.
public struct BeaconRecord: Hashable, Sendable {
    public var major: UInt16?
    public var minor: UInt16?
    public var name: String?
    public var isEnabled: Bool
    public var place: BeaconPlace
    /// Where this beacon's configuration needs others than the region's.
    public var proximity: ProximityThresholds?

    public init(
        major: UInt16?, minor: UInt16?, name: String? = nil, isEnabled: Bool = true,
        place: BeaconPlace, proximity: ProximityThresholds? = nil
    ) {
        self.major = major
        self.minor = minor
        self.name = name
        self.isEnabled = isEnabled
        self.place = place
        self.proximity = proximity
    }
}

/// Where a beacon is on its map.
public enum BeaconPlace: Hashable, Sendable {
    /// Shares of the map's width and height, 0 to 1.
    case relative(x: Double, y: Double)
    /// The map's own units.
    case absolute(x: Double, y: Double)
}
