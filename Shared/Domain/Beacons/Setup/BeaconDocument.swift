public import Events
public import Site

/// The beacons of one region on one map, as people write them in JSON (docs/beacons.md).
public struct BeaconDocument: Hashable, Sendable {
    public var name: String
    /// The region: all its beacons send this UUID.
    public var uuid: EventID
    /// The floor of the site on which the map lies.
    public var floor: FloorID?
    public var map: BeaconMapRecord
    /// The byte of the major that holds the battery's level; nil where beacons do not send it
    /// there.
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

/// The map on which positions are given, in units of its own such as pixels.
public struct BeaconMapRecord: Hashable, Sendable {
    /// The direction in which y grows on the map.
    public enum VerticalAxis: String, Hashable, Sendable, CaseIterable {
        case up
        /// The direction of y in images.
        case down
    }

    public var width: Double
    public var height: Double
    /// The scale (Flair 4.1.4): 100 if a hallway of 15 m is 1,500 pixels long.
    public var unitsPerMetre: Double
    public var verticalAxis: VerticalAxis
    /// The place of the map's point 0, 0 in the site's frame, in metres.
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

/// A group of beacons, in their order along the way.
public struct BeaconGroupRecord: Hashable, Sendable {
    public var id: BeaconGroupID
    public var name: String?
    public var isEnabled: Bool
    /// Whether the last beacon leads on to the first (Flair 5.0.1).
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

/// One beacon on the map. Without a major or a minor it stands for all of them.
public struct BeaconRecord: Hashable, Sendable {
    public var major: UInt16?
    public var minor: UInt16?
    public var name: String?
    public var isEnabled: Bool
    public var place: BeaconPlace
    /// Thresholds for this beacon, if it needs others than the region's.
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

/// The place of a beacon on its map.
public enum BeaconPlace: Hashable, Sendable {
    /// Shares of the map's width and height, from 0 to 1.
    case relative(x: Double, y: Double)
    /// A point in the map's own units.
    case absolute(x: Double, y: Double)
}
