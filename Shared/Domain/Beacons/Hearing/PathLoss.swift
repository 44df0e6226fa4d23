import Glibc

/// The log-distance model: a level falls by 10 n decibels for each tenfold distance (Rappaport,
/// Wireless Communications, 4.11). A rough figure by nature: see `Proximity`.
public struct PathLoss: Hashable, Sendable {
    /// n; 2 in free space.
    public var exponent: Double
    /// dBm at one metre, for beacons that do not say it themselves.
    public var powerAtOneMetre: Double

    public init(exponent: Double = 2, powerAtOneMetre: Double = -59) {
        self.exponent = exponent
        self.powerAtOneMetre = powerAtOneMetre
    }

    /// Metres at which the level has fallen by so many decibels since the first metre.
    public func distanceMetres(attenuationDecibels: Double) -> Double {
        pow(10, attenuationDecibels / (10 * exponent))
    }
}
