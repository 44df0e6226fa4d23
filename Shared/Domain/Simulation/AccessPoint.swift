public import Events

/// A simulated access point: one radio.
public struct AccessPoint: Sendable, Hashable {
    public let bssid: HardwareAddress
    /// In MHz.
    public let frequency: Int
    /// The place in metres in the site's frame.
    public let x: Double
    public let y: Double
    /// Metres above the lowest floor.
    public let z: Double
    /// The floor on which it hangs, counted from 0, the lowest.
    public let storey: Int
}
