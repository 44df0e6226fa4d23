import Glibc

/// Normal numbers with mean 0 and deviation 1, from pairs of uniform ones (Box and Muller 1958).
///
/// For many at once, logarithm and cosine are the first terms of their series, which the processor
/// computes for several numbers together. Their errors are far smaller than a step of `Float`.
/// Where a number is so near to the middle of two steps that an error may matter, the C library
/// computes it. So the results are those of the C library.
enum NormalNumbers {
    /// The error that is allowed to the series, as a share of the number's radius. Theirs is less
    /// than a hundredth of it: the terms left out and the roundings are some 1e-15.
    private static let uncertainty = 0x1p-40

    /// Computes the same as `normal` for each pair.
    ///
    /// - Parameters:
    ///   - radii: uniform numbers from 0 up to 1, at least as many as `numbers`.
    ///   - turns: the same.
    ///   - highest: memory for at least as many numbers.
    static func find(
        _ radii: UnsafeBufferPointer<Double>, _ turns: UnsafeBufferPointer<Double>,
        into numbers: UnsafeMutableBufferPointer<Float>,
        highest: UnsafeMutableBufferPointer<Float>
    ) {
        for index in 0..<numbers.count {
            let radius = (-2 * logarithm(1 - radii[index])).magnitude.squareRoot()
            let number = radius * cosine(turns: turns[index])
            numbers[index] = Float(number - uncertainty * radius)
            highest[index] = Float(number + uncertainty * radius)
        }
        for index in 0..<numbers.count where numbers[index] != highest[index] {
            numbers[index] = normal(radii[index], turns[index])
        }
    }

    /// The normal number of two uniform ones from 0 up to 1.
    static func normal(_ radius: Double, _ turn: Double) -> Float {
        Float((-2 * log(1 - radius)).squareRoot() * cos(2 * .pi * turn))
    }

    /// The natural logarithm of a number from 2^-53 to 1.
    ///
    /// The number is 2^n times m, with m between the square roots of 1/2 and 2. The logarithm of m
    /// is twice the area hyperbolic tangent of s = (m - 1) / (m + 1). As s is at most 0.172, the
    /// tenth term is below 1e-15.
    @inline(__always)
    private static func logarithm(_ number: Double) -> Double {
        let aboveRoot = number.bitPattern &- 0x3FE6_A09E_667F_3BCD
        // 2^52 has no bits for a fraction: the last bits of a sum with it are a whole number.
        let power =
            Double(bitPattern: (aboveRoot &+ (64 << 52)) >> 52 | 0x4330_0000_0000_0000)
            - (0x1p52 + 64)
        let rest = Double(bitPattern: number.bitPattern &- (aboveRoot & 0xFFF0_0000_0000_0000))
        let s = (rest - 1) / (rest + 1)
        let square = s * s
        var sum = 1.0 / 17
        sum = sum * square + 1.0 / 15
        sum = sum * square + 1.0 / 13
        sum = sum * square + 1.0 / 11
        sum = sum * square + 1.0 / 9
        sum = sum * square + 1.0 / 7
        sum = sum * square + 1.0 / 5
        sum = sum * square + 1.0 / 3
        return power * 0.693_147_180_559_945_3 + (2 * s + 2 * s * square * sum)
    }

    /// The cosine of an angle from 0 up to 1 turn. It is the sine of an angle between a quarter
    /// turn back and one ahead, by its Taylor series. The eleventh term is below 1e-15.
    @inline(__always)
    private static func cosine(turns: Double) -> Double {
        let angle = 2 * .pi * ((turns - 0.5).magnitude - 0.25)
        let square = angle * angle
        var sum = -1 / 121_645_100_408_832_000.0
        sum = sum * square + 1 / 355_687_428_096_000.0
        sum = sum * square - 1 / 1_307_674_368_000.0
        sum = sum * square + 1 / 6_227_020_800.0
        sum = sum * square - 1 / 39_916_800.0
        sum = sum * square + 1 / 362_880.0
        sum = sum * square - 1 / 5_040.0
        sum = sum * square + 1 / 120.0
        sum = sum * square - 1 / 6.0
        return angle + angle * square * sum
    }
}
