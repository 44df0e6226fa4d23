import Numbers

/// The tests' source of chance: small, seeded, the same everywhere.
public struct SeededRandom: RandomNumberGenerator {
    private var random: SplitMix64

    /// - Parameter seed: not negative.
    public init(seed: some BinaryInteger) { random = SplitMix64(seed: UInt64(seed)) }

    public mutating func next() -> UInt64 { random.next() }
}
