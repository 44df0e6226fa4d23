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

    public init(
        id: BeaconID, name: String? = nil, floor: FloorID, point: Point,
        uuid: EventID? = nil, major: Int? = nil, minor: Int? = nil,
        address: HardwareAddress? = nil, txPower: Int? = nil
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
    }
}
