/// Measures time by a walker's steps.
struct StepClock {
    /// With fewer steps between two moments, a missed step would count too much.
    private static let fewestSteps = 4.0
    /// The longest time for one step. In a longer pause the walker stood first, and made the next
    /// step at its end.
    private static let longestStepMilliseconds = 1_000

    private let steps: [Int]

    /// Nil where no steps were counted.
    init?(_ steps: [Int]) throws(MagneticFault) {
        guard !steps.isEmpty else { return nil }
        guard steps.count <= MagneticLimits.steps,
            zip(steps, steps.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .stepsMalformed }
        self.steps = steps
    }

    /// The share of the steps from `begin` to `end` that was made before `moment`. Nil where there
    /// are too few steps.
    func share(of moment: Int, from begin: Int, to end: Int) -> Double? {
        let made = count(before: end) - count(before: begin)
        guard made >= Self.fewestSteps else { return nil }
        return (count(before: moment) - count(before: begin)) / made
    }

    /// The number of steps made before a moment, including a fraction of the current one.
    private func count(before moment: Int) -> Double {
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle] < moment { low = middle + 1 } else { high = middle }
        }
        guard low > 0, low < steps.count else { return Double(low) }
        let next = steps[low]
        let length = min(next &- steps[low - 1], Self.longestStepMilliseconds)
        return Double(low) + max(0, Double(moment &- (next &- length)) / Double(length))
    }
}
