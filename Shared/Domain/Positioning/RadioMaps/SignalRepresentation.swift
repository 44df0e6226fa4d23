import Glibc

/// The formula that turns an RSSI into a value for comparing fingerprints.
///
/// The minimum is one below the weakest reading of the map, so that a barely received transmitter
/// still differs from silence; positive = rssi - minimum. The formulas are those of Torres-Sospedra
/// et al. 2015, "Comprehensive analysis of distance and similarity measures for Wi-Fi
/// fingerprinting indoor positioning systems", Expert Systems with Applications 42, section 3.
public enum SignalRepresentation: Hashable, Sendable {
    /// The RSSI itself in dBm; silence is the minimum.
    case raw
    /// rssi - minimum; silence is 0.
    case positive
    /// exp(positive / 24) / exp(-minimum / 24); silence is exp(minimum / 24), not 0.
    case exponential
    /// (positive / -minimum)^exponent; silence is 0.
    case powed(exponent: Double)

    /// The paper's alpha.
    static let exponentialScale = 24.0

    /// - Parameters:
    ///   - rssi: dBm; values weaker than the minimum count as silence.
    ///   - minimum: dBm, below 0.
    func value(rssi: Double, minimum: Double) -> Double {
        let positive = max(0, rssi - minimum)
        switch self {
        case .raw: return minimum + positive
        case .positive: return positive
        case .exponential:
            return exp(positive / Self.exponentialScale) / exp(-minimum / Self.exponentialScale)
        case .powed(let exponent): return pow(positive / -minimum, exponent)
        }
    }

    func silence(minimum: Double) -> Double { value(rssi: minimum, minimum: minimum) }
}
