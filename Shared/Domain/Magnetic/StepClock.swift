/// Time as a walker's steps measure it.
struct StepClock {
    /// With fewer between two moments, a missed one would weigh too much.
    private static let fewestSteps = 4.0
    /// A longer time without a step is a stop; the next step took so much of it.
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

    /// How much of the steps from one moment to another was made at a third between them; nil where
    /// too few were made to tell.
    func share(of moment: Int, from begin: Int, to end: Int) -> Double? {
        let made = count(before: end) - count(before: begin)
        guard made >= Self.fewestSteps else { return nil }
        return (count(before: moment) - count(before: begin)) / made
    }

    /// Steps made before a moment, the one that is being made in part.
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
