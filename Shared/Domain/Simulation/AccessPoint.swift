public import Events

/// A simulated access point: one radio.
public struct AccessPoint: Sendable, Hashable {
    public let bssid: HardwareAddress
    /// MHz.
    public let frequency: Int
    /// Metres in the site's frame.
    public let x: Double
    public let y: Double
    /// Metres above the lowest floor.
    public let z: Double
    /// Counted from 0, the lowest.
    public let storey: Int
}
