// The standard library's pointwiseMin and pointwiseMax go lane by lane.

@inline(__always)
func smaller(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .< left)
}

@inline(__always)
func larger(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .> left)
}

/// e^x, right to a millionth of itself, for what is not above 80; 0 below -80.
///
/// 2^n times a polynomial of what is left, which is at most half of ln 2 (its Taylor series to the
/// 6th power).
@inline(__always)
func exponential(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let bounded = larger(SIMD4(repeating: -80), value)
    // In so large a number the fraction has no bits: it is rounded, and its last bits are the
    // exponent's.
    let bias: Float = 12_582_912 + 127
    let rounded = bounded * 1.442_695_04 + bias
    let power = rounded - bias
    // ln 2 in two parts, of which the first times a power is exact.
    let rest = (bounded - power * 0.693_359_375) + power * 2.121_944_4e-4
    var sum = SIMD4<Float>(repeating: 1 / 720)
    sum = sum * rest + 1 / 120
    sum = sum * rest + 1 / 24
    sum = sum * rest + 1 / 6
    sum = sum * rest + 0.5
    sum = sum * rest + 1
    sum = sum * rest + 1
    let bits = unsafeBitCast(rounded, to: SIMD4<UInt32>.self) &<< 23
    let scaled = sum * unsafeBitCast(bits, to: SIMD4<Float>.self)
    return scaled.replacing(with: 0, where: value .< -80)
}
