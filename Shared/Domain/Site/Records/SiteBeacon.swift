public import Events
public import Geometry

/// A Bluetooth beacon and its place.
public struct SiteBeacon: Hashable, Sendable {
    public var id: BeaconID
    public var name: String?
    public var floor: FloorID
    /// Metres in the site's frame.
    public var point: Point
    /// An iBeacon's proximity UUID, with major and minor.
    public var uuid: EventID?
    public var major: Int?
    public var minor: Int?
    public var address: HardwareAddress?
    /// Calibrated power at one metre, dBm.
    public var txPower: Int?
    /// The byte of the major that holds the battery's level. It holds for all that send this UUID,
    /// also for those that are no records.
    public var batteryByte: BatteryByte?
    /// The group that people enter and leave.
    public var group: BeaconGroupID?
    /// The place within its group's order along the way; those without one come last, by id.
    public var orderInGroup: Int?
    /// Whether the way of its group leads on from here to the group's first beacon.
    public var closesRing: Bool
    /// Whether it is ignored.
    public var isDisabled: Bool
    /// The distance from which on it is ignored, in metres.
    public var farthestMetres: Double?
    /// The thresholds of near and far; nil for the usual ones.
    public var proximity: BeaconProximity

    public init(
        id: BeaconID, name: String? = nil, floor: FloorID, point: Point,
        uuid: EventID? = nil, major: Int? = nil, minor: Int? = nil,
        address: HardwareAddress? = nil, txPower: Int? = nil, batteryByte: BatteryByte? = nil,
        group: BeaconGroupID? = nil, orderInGroup: Int? = nil, closesRing: Bool = false,
        isDisabled: Bool = false, farthestMetres: Double? = nil,
        proximity: BeaconProximity = BeaconProximity()
    ) {
        self.id = id
        self.name = name
        self.floor = floor
        self.point = point
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.address = address
        self.txPower = txPower
        self.batteryByte = batteryByte
        self.group = group
        self.orderInGroup = orderInGroup
        self.closesRing = closesRing
        self.isDisabled = isDisabled
        self.farthestMetres = farthestMetres
        self.proximity = proximity
    }
}

/// The byte of the major that holds the battery's level.
public enum BatteryByte: String, Hashable, Sendable, CaseIterable {
    case high
    case low
}

/// A beacon's own thresholds of near and far; nil for the usual ones.
public struct BeaconProximity: Hashable, Sendable {
    /// Usual figures: 6 dB are lost at 2 m and 20 dB at 10 m in free space.
    public static let usualNearDecibels = 6.0
    public static let usualFarDecibels = 20.0
    public static let usualHysteresisDecibels = 3.0

    /// The loss beyond the first metre at which a device is near, in decibels, or less.
    public var nearDecibels: Double?
    /// The loss at which it is far, in decibels, or more.
    public var farDecibels: Double?
    /// The decibels beyond a threshold at which near or far ends.
    public var hysteresisDecibels: Double?

    public init(
        nearDecibels: Double? = nil, farDecibels: Double? = nil, hysteresisDecibels: Double? = nil
    ) {
        self.nearDecibels = nearDecibels
        self.farDecibels = farDecibels
        self.hysteresisDecibels = hysteresisDecibels
    }

    /// The losses that a threshold may have, in decibels.
    private static let losses = -100.0...120.0

    /// There must be a range between near and far, even with the hysteresis of both.
    fileprivate func check(_ validation: inout SiteValidation) {
        validation.checkFact(nearDecibels, "nearDecibels", Self.losses)
        validation.checkFact(farDecibels, "farDecibels", Self.losses)
        validation.checkFact(hysteresisDecibels, "hysteresisDecibels", 0...120)
        let hysteresis = hysteresisDecibels ?? Self.usualHysteresisDecibels
        let near = (nearDecibels ?? Self.usualNearDecibels) + hysteresis
        let far = (farDecibels ?? Self.usualFarDecibels) - hysteresis
        if !(near < far) {
            validation.add(.factOutOfRange, "near and far, over twice the hysteresis apart")
        }
    }
}

extension SiteBeacon: SiteRecord {
    public static let kind = RecordKind(
        "beacon", "beacons", list: "beacons", shape: .point, most: 100_000, isOnMap: false)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.beacons }
    public static let fields: [RecordField<Self>] = [
        RecordField("name", \.name), RecordField("floor", \.floor, with: "place"),
        RecordField("x", \.point.x, with: "place"), RecordField("y", \.point.y, with: "place"),
        RecordField("uuid", \.uuid, with: "identity"),
        RecordField("major", \.major, with: "identity"),
        RecordField("minor", \.minor, with: "identity"),
        RecordField("address", \.address, with: "identity"), RecordField("txPower", \.txPower),
        RecordField("batteryByte", \.batteryByte, with: "identity"),
        RecordField("group", \.group, with: "group"),
        RecordField("orderInGroup", \.orderInGroup, with: "group"),
        RecordField("closesRing", \.closesRing, with: "group"),
        RecordField("disabled", \.isDisabled),
        RecordField("farthestMetres", \.farthestMetres),
        RecordField("nearDecibels", \.proximity.nearDecibels, with: "proximity"),
        RecordField("farDecibels", \.proximity.farDecibels, with: "proximity"),
        RecordField("hysteresisDecibels", \.proximity.hysteresisDecibels, with: "proximity"),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [.floor(floor)] }
    public var allNames: [String] { name.map { [$0] } ?? [] }

    public func check(_ validation: inout SiteValidation) {
        validation.checkText(name, "name")
        validation.checkFloor(floor)
        validation.checkPoint(point)
        if uuid == nil, address == nil {
            validation.add(.beaconUnidentified, "a beacon has a uuid or an address")
        }
        if let major, batteryByte != nil, major > Int(UInt8.max) {
            validation.add(
                .factOutOfRange, "major \(major), within 0 to 255 beside a battery's byte")
        }
        if let group, !isWellFormedIdentifier(group.text) {
            validation.add(
                .malformedIdentifier, "a group's id is [A-Za-z0-9._-], 1 to 64 characters")
        }
        validation.checkFact(farthestMetres, "farthestMetres", Self.distances)
        proximity.check(&validation)
    }

    /// The distances from which on a beacon may be ignored, in metres.
    private static let distances = 0.1...1_000.0
}
