import Glibc
import Numbers

/// The random numbers of the simulator. A run is repeated by its seed alone, whatever the standard
/// library changes.
///
/// xoshiro256** 1.0 with its state filled by SplitMix64, as its authors advise (D. Blackman and
/// S. Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS 47, 2021).
struct SimulationRandom: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    init(seed: UInt64) {
        var filling = SplitMix64(seed: seed)
        state = (filling.next(), filling.next(), filling.next(), filling.next())
    }

    /// Starts with a given state, which must not be all zero.
    init(state: (UInt64, UInt64, UInt64, UInt64)) { self.state = state }

    /// A generator for one part of a simulation, independent of those of the other parts.
    init(seed: UInt64, part: UInt64) {
        var (first, second) = (SplitMix64(seed: seed), SplitMix64(seed: part))
        self.init(seed: first.next() ^ second.next())
    }

    mutating func next() -> UInt64 {
        let result = Self.rotated(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = Self.rotated(state.3, by: 45)
        return result
    }

    /// A uniform number from `low` up to, but not including, `high`. It uses the top 53 bits.
    mutating func uniform(_ low: Double = 0, _ high: Double = 1) -> Double {
        low + (high - low) * Double(next() >> 11) * 0x1p-53
    }

    /// A uniform number in 0..<count. The bias of the multiplication is below 2^-32 for small
    /// counts.
    mutating func index(below count: Int) -> Int {
        Int(((next() >> 32) &* UInt64(count)) >> 32)
    }

    /// A standard normal number (G. E. P. Box and M. E. Muller, 1958). The method's second number
    /// is not kept, so every call draws two numbers.
    mutating func gaussian() -> Double {
        let radius = (-2 * log(1 - uniform())).squareRoot()
        return radius * cos(2 * Double.pi * uniform())
    }

    private static func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }
}
