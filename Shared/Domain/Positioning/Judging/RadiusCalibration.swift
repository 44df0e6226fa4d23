import Glibc

/// Turns the neighbours' spread into radii that contain the true place as often as stated.
///
/// The error of a place grows with the neighbours' spread, but by a factor that differs between
/// sites. So the factors are quantiles of error / spread in the site's self-test.
struct RadiusCalibration: Sendable {
    /// Quantiles of the Rayleigh distribution, which holds for two equal normal coordinates.
    static let radius68PerDeviation = 1.5096
    static let radius95PerDeviation = 2.4477
    /// The smallest radius: even surveyed places are not stated more precisely.
    static let leastRadiusMetres = 0.5
    /// The smallest factor. A map whose self-test made no errors would give a factor of 0, and
    /// scales are divided by it.
    private static let leastFactor = 1e-3

    let factor68: Double
    private let factor95: Double

    init(factor68: Double, factor95: Double) {
        self.factor68 = factor68
        self.factor95 = factor95
    }

    /// With too few outcomes the factors are those of the normal distribution.
    init(_ outcomes: [LeaveOutTrials.Outcome]) {
        guard outcomes.count >= LeaveOutTrials.fewestOutcomes else {
            // The spread is the root of the sum of two variances.
            factor68 = Self.radius68PerDeviation / 2.0.squareRoot()
            factor95 = Self.radius95PerDeviation / 2.0.squareRoot()
            return
        }
        let ratios = outcomes.map { $0.error / $0.spread }.sorted()
        factor68 = max(Self.leastFactor, ratios[Int(0.68 * Double(ratios.count - 1))])
        factor95 = max(factor68, ratios[Int((0.95 * Double(ratios.count - 1)).rounded(.up))])
    }

    /// The radii for a spread, all in metres.
    func radii(spread: Double) -> (radius68: Double, radius95: Double) {
        let least = Self.leastRadiusMetres
        return (max(least, factor68 * spread), max(least, factor95 * spread))
    }

    /// The covariance scaled to the radius; its shape stays.
    func covariance(_ covariance: Estimate.Covariance, radius68: Double) -> Estimate.Covariance {
        let deviation = radius68 / Self.radius68PerDeviation
        let scale = 2 * deviation * deviation / (covariance.xx + covariance.yy)
        return Estimate.Covariance(
            xx: covariance.xx * scale, xy: covariance.xy * scale, yy: covariance.yy * scale)
    }
}

extension Estimate.Covariance {
    /// The covariance of normal errors that are alike in all directions and have this radius of 68
    /// %, in metres.
    public static func round(radius68: Double) -> Self {
        let deviation = radius68 / RadiusCalibration.radius68PerDeviation
        return Self(xx: deviation * deviation, xy: 0, yy: deviation * deviation)
    }
}
