public import Events

/// A Bluetooth beacon that hangs at a known place.
public struct SiteBeacon: Hashable, Sendable {
    public var id: BeaconID
    public var name: String?
    public var floor: FloorID
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double
    /// An iBeacon's proximity UUID, with major and minor.
    public var uuid: EventID?
    public var major: Int?
    public var minor: Int?
    public var address: HardwareAddress?
    /// Calibrated power at one metre, dBm.
    public var txPower: Int?

    public init(
        id: BeaconID, name: String? = nil, floor: FloorID, x: Double, y: Double,
        uuid: EventID? = nil, major: Int? = nil, minor: Int? = nil,
        address: HardwareAddress? = nil, txPower: Int? = nil
    ) {
        self.id = id
        self.name = name
        self.floor = floor
        self.x = x
        self.y = y
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.address = address
        self.txPower = txPower
    }
}
