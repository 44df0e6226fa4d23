import Events
import Glibc

/// One air pressure as a height.
struct PressureHeight: Hashable, Sendable {
    /// Metres in a column of air at 15 °C with 1013.25 hPa at its foot. Weather moves all heights,
    /// so only differences within a short time mean anything.
    let metres: Float
    /// The time of the scan, in microseconds UTC.
    let at: Int64

    /// `R T / (g M)` in the barometric formula of air with one temperature (ICAO, Manual of the
    /// Standard Atmosphere, Doc 7488; ISO 2533:1975). At the sea a metre is
    /// 0.12 hPa. A room at 25 °C makes it 3 % less, which counts for nothing here.
    static let metresPerLogarithm =
        8.314_46 * 288.15 / (9.806_65 * 0.028_964_4)
    static let standardHectopascals = 1_013.25
    /// Anything else is no air pressure. `ScanLimits` refuses it as well.
    private static let hectopascals = 300.0...1_100

    init(metres: Float, at: Int64) {
        self.metres = metres
        self.at = at
    }

    /// Nil for a scan without an air pressure.
    init?(_ scan: RadioScan) {
        guard let pressure = scan.pressureHectopascals, Self.hectopascals ~= pressure else {
            return nil
        }
        metres = Float(Self.metres(hectopascals: pressure))
        at = scan.at.microseconds
    }

    static func metres(hectopascals: Double) -> Double {
        metresPerLogarithm * log(standardHectopascals / hectopascals)
    }
}
