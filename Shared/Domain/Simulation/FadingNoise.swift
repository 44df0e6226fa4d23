import Glibc

/// Noise that fades over seconds: a first-order Gaussian process, advanced exactly by any step, so
/// that it is drawn only when it is needed.
struct FadingNoise: Sendable {
    private var value: Double
    private var atSeconds: Double

    /// Starts in its steady state.
    init(sigma: Double, atSeconds: Double, random: inout SimulationRandom) {
        value = sigma * random.gaussian()
        self.atSeconds = atSeconds
    }

    /// The value at a moment that is not before the last one asked for.
    mutating func value(
        sigma: Double, atSeconds seconds: Double, random: inout SimulationRandom
    ) -> Double {
        let kept = exp(-(seconds - atSeconds) / RadioModel.noiseTimeConstantSeconds)
        value = kept * value + (1 - kept * kept).squareRoot() * sigma * random.gaussian()
        atSeconds = seconds
        return value
    }
}
