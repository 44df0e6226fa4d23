public import Events

/// Where an access point hangs, as people know it.
public struct AccessPointPlace: Hashable, Sendable {
    public var address: HardwareAddress
    public var floor: FloorID
    /// Metres in the site's frame.
    public var x: Double
    public var y: Double

    public init(address: HardwareAddress, floor: FloorID, x: Double, y: Double) {
        self.address = address
        self.floor = floor
        self.x = x
        self.y = y
    }
}
