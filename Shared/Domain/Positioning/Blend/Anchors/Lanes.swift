// These functions exist because the standard library's pointwiseMin and pointwiseMax work lane by
// lane.

@inline(__always)
func smaller(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .< left)
}

@inline(__always)
func larger(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .> left)
}

/// e^x with a relative error of a millionth, for x up to 80; 0 below -80.
///
/// It is 2^n times a polynomial of the remainder, which is at most half of ln 2. The polynomial is
/// the Taylor series to the 6th power.
@inline(__always)
func exponential(_ value: SIMD4<Float>) -> SIMD4<Float> {
    let bounded = larger(SIMD4(repeating: -80), value)
    // A number this large has no bits for a fraction, so adding it rounds. Its last bits are then
    // the exponent n.
    let bias: Float = 12_582_912 + 127
    let rounded = bounded * 1.442_695_04 + bias
    let power = rounded - bias
    // ln 2 is split into two parts; the product of the first with a power is exact.
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
