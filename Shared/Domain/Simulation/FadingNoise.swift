import Glibc

/// Noise that changes over seconds: a first-order Gaussian process. It can be advanced exactly by
/// any time, so it is only computed when needed.
struct FadingNoise: Sendable {
    private var value: Double
    private var atSeconds: Double

    /// Starts in its steady state.
    init(sigma: Double, atSeconds: Double, random: inout SimulationRandom) {
        value = sigma * random.gaussian()
        self.atSeconds = atSeconds
    }

    /// The noise at a time, which must not be before that of the last call.
    mutating func value(
        sigma: Double, atSeconds seconds: Double, random: inout SimulationRandom
    ) -> Double {
        let kept = exp(-(seconds - atSeconds) / RadioModel.noiseTimeConstantSeconds)
        value = kept * value + (1 - kept * kept).squareRoot() * sigma * random.gaussian()
        atSeconds = seconds
        return value
    }
}
