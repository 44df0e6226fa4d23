import Glibc

/// The effect of furniture and fittings on the level of one access point on one storey. It is a
/// Gaussian field over the plan with standard deviation 1. Its correlation is exp(-distance / 3 m)
/// in every direction (M. Gudmundson, "Correlation model for shadow fading in mobile radio
/// systems", Electronics Letters 27, 1991).
///
/// The field is a sum of cosine waves. Their wave vectors are drawn from the spectrum of the
/// correlation (A. Rahimi and B. Recht, "Random features for large-scale kernel machines", 2007).
/// The spectrum of the exponential in the plane is the bivariate Cauchy distribution: a Gaussian
/// vector divided by an independent Gaussian.
struct ShadowField: Sendable {
    /// Enough waves for the sum to be Gaussian to the third digit. Each wave costs a cosine for
    /// each reading.
    static let waveCount = 64

    private struct Wave: Sendable {
        let x: Double
        let y: Double
        let phase: Double
    }

    private let waves: [Wave]
    private static let amplitude = (2 / Double(waveCount)).squareRoot()

    init(random: inout SimulationRandom) {
        waves = (0..<Self.waveCount).map { _ in
            let scale = RadioModel.shadowCorrelationMetres * abs(random.gaussian())
            return Wave(
                x: random.gaussian() / scale, y: random.gaussian() / scale,
                phase: random.uniform(0, 2 * Double.pi))
        }
    }

    /// The value of the field in standard deviations.
    func value(x: Double, y: Double) -> Double {
        var sum = 0.0
        for wave in waves { sum += cos(wave.x * x + wave.y * y + wave.phase) }
        return sum * Self.amplitude
    }
}
