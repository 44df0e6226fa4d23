import Glibc

/// The log-distance model: a level falls by 10 n decibels for each tenfold distance (Rappaport,
/// Wireless Communications, 4.11). It is only a rough estimate (see `Proximity`).
public struct PathLoss: Hashable, Sendable {
    /// The exponent n; 2 in free space.
    public var exponent: Double
    /// The power at one metre in dBm where nobody states one.
    static let usualPower = -59.0

    /// The power at one metre in dBm, for beacons that do not send it. Nil where nobody has stated
    /// it: then it is -59.
    public var powerAtOneMetre: Double?

    public init(exponent: Double = 2, powerAtOneMetre: Double? = nil) {
        self.exponent = exponent
        self.powerAtOneMetre = powerAtOneMetre
    }

    /// The distance in metres at which the level is this many decibels below that at one metre.
    public func distanceMetres(attenuationDecibels: Double) -> Double {
        pow(10, attenuationDecibels / (10 * exponent))
    }
}
