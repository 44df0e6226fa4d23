import Numbers

/// The tests' random generator: small, seeded, and the same on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var random: SplitMix64

    /// - Parameter seed: not negative.
    public init(seed: some BinaryInteger) { random = SplitMix64(seed: UInt64(seed)) }

    public mutating func next() -> UInt64 { random.next() }
}
