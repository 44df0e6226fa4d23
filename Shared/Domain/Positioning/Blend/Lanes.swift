// The standard library's pointwiseMin and pointwiseMax go lane by lane.

@inline(__always)
func smaller(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .< left)
}

@inline(__always)
func larger(_ left: SIMD4<Float>, _ right: SIMD4<Float>) -> SIMD4<Float> {
    left.replacing(with: right, where: right .> left)
}
