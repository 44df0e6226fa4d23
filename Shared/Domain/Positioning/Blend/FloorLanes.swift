/// Numbers that a `FloorNetwork` computes side by side: one for each hidden unit, or one for each
/// of as many floors. In four parts of eight they stay in the processor's registers, also where
/// only four lanes are computed at once.
struct FloorLanes: Sendable {
    private typealias Part = SIMD8<Float>

    private var first = Part()
    private var second = Part()
    private var third = Part()
    private var fourth = Part()

    /// All numbers are 0.
    @inline(__always)
    init() {}

    init(repeating number: Float) {
        let part = Part(repeating: number)
        (first, second, third, fourth) = (part, part, part, part)
    }

    /// The numbers, and then lanes that are 0.
    static func rows(_ numbers: some Collection<Float>) -> [FloorLanes] {
        let lanes = FloorNetwork.hidden
        precondition(MemoryLayout<Self>.size == lanes * MemoryLayout<Float>.size)
        let count = (numbers.count + lanes - 1) / lanes
        var rows = [FloorLanes](repeating: FloorLanes(), count: count)
        rows.withUnsafeMutableBufferPointer { rows in
            rows.withMemoryRebound(to: Float.self) { own in
                for (index, number) in numbers.enumerated() { own[index] = number }
            }
        }
        return rows
    }

    /// Calls `body` with the numbers.
    @inline(__always)
    mutating func withNumbers(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        withUnsafeMutableBytes(of: &self) { $0.withMemoryRebound(to: Float.self, body) }
    }

    @inline(__always)
    static func += (left: inout FloorLanes, right: FloorLanes) {
        left.first += right.first
        left.second += right.second
        left.third += right.third
        left.fourth += right.fourth
    }

    @inline(__always)
    static func *= (left: inout FloorLanes, right: FloorLanes) {
        left.first *= right.first
        left.second *= right.second
        left.third *= right.third
        left.fourth *= right.fourth
    }

    /// Adds `factor` times the other numbers.
    @inline(__always)
    mutating func add(_ other: FloorLanes, times factor: Float) {
        first += factor * other.first
        second += factor * other.second
        third += factor * other.third
        fourth += factor * other.fourth
    }

    /// Moves weights against their slopes. The history gets the squares of the slopes.
    @inline(__always)
    mutating func descend(
        _ sums: FloorLanes, _ history: inout FloorLanes, _ step: FloorWeights.Step
    ) {
        Self.descend(&first, sums.first, &history.first, step)
        Self.descend(&second, sums.second, &history.second, step)
        Self.descend(&third, sums.third, &history.third, step)
        Self.descend(&fourth, sums.fourth, &history.fourth, step)
    }

    @inline(__always)
    private static func descend(
        _ weights: inout Part, _ sums: Part, _ history: inout Part, _ step: FloorWeights.Step
    ) {
        let slopes = sums * step.share + step.decay * weights
        history += slopes * slopes
        weights -= step.rate * slopes / roots(history)
    }

    /// The square roots of numbers that are not negative. The magnitudes show this to the compiler.
    /// Otherwise it computes one lane after the other, ready to report an error.
    @inline(__always)
    private static func roots(_ numbers: Part) -> Part {
        Part(
            numbers[0].magnitude.squareRoot(), numbers[1].magnitude.squareRoot(),
            numbers[2].magnitude.squareRoot(), numbers[3].magnitude.squareRoot(),
            numbers[4].magnitude.squareRoot(), numbers[5].magnitude.squareRoot(),
            numbers[6].magnitude.squareRoot(), numbers[7].magnitude.squareRoot())
    }
}

extension [FloorLanes] {
    /// Calls `body` with all numbers, row by row.
    @inline(__always)
    mutating func withNumbers(_ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
        withUnsafeMutableBufferPointer { $0.withMemoryRebound(to: Float.self, body) }
    }

    /// All numbers, row by row.
    var numbers: [Float] {
        withUnsafeBufferPointer { $0.withMemoryRebound(to: Float.self) { [Float]($0) } }
    }
}
