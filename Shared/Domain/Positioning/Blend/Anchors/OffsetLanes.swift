/// One number for each offset that a telephone may have.
///
/// Eleven offsets fill three vectors of four; the one lane left over repeats the last offset. The
/// next larger vector has sixteen lanes and would cost a third more.
struct OffsetLanes: Sendable {
    /// The number of different offsets.
    static let count = 11

    var low = SIMD4<Float>()
    var middle = SIMD4<Float>()
    var high = SIMD4<Float>()

    @inline(__always)
    init(low: SIMD4<Float>, middle: SIMD4<Float>, high: SIMD4<Float>) {
        self.low = low
        self.middle = middle
        self.high = high
    }

    init() {}

    /// - Parameter lane: less than `count`.
    subscript(lane: Int) -> Float {
        lane < 4 ? low[lane] : lane < 8 ? middle[lane - 4] : high[lane - 8]
    }

    /// The largest number.
    @inline(__always)
    var most: Float {
        let lanes = larger(larger(low, middle), high)
        let half = SIMD4(lowHalf: lanes.highHalf, highHalf: lanes.highHalf)
        let pair = larger(lanes, half)
        return max(pair[0], pair[1])
    }

    @inline(__always)
    static func += (left: inout OffsetLanes, right: OffsetLanes) {
        left.low += right.low
        left.middle += right.middle
        left.high += right.high
    }

    @inline(__always)
    static func += (left: inout OffsetLanes, right: Float) {
        left.low += right
        left.middle += right
        left.high += right
    }
}
