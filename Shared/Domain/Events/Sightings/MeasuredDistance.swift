/// A distance that a radio measured, such as by the time of flight of Wi-Fi (802.11mc).
public struct MeasuredDistance: Hashable, Sendable {
    /// 0 to 1,000.
    public var metres: Double
    /// The standard deviation in metres, 0.01 to 1,000.
    public var deviation: Double

    public init(metres: Double, deviation: Double) {
        self.metres = metres
        self.deviation = deviation
    }
}
