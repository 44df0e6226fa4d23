/// The mean of the last values, at most `count` of them.
struct CausalMean: Sendable {
    private var values: [Double] = []
    private var oldest = 0
    private let count: Int

    init(count: Int) {
        self.count = count
        values.reserveCapacity(count)
    }

    mutating func forget() {
        values.removeAll(keepingCapacity: true)
        oldest = 0
    }

    mutating func add(_ value: Double) -> Double {
        if values.count < count {
            values.append(value)
        } else {
            values[oldest] = value
            oldest = (oldest + 1) % count
        }
        // The sum is computed again each time, because a running sum would keep its rounding
        // errors.
        var sum = 0.0
        for value in values { sum += value }
        return sum / Double(values.count)
    }
}
