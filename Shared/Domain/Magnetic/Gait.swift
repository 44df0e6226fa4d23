/// The movement of each pace in one tick.
struct Gait: Sendable {
    /// The number of cells that each pace moves.
    var cells: [Double]
    var slower: [Double]
    var faster: [Double]

    /// - Parameter steps: the steps made in the tick; nil where nobody counts them.
    init(steps: Double?) {
        let count = MagneticMatcher.paces.count
        guard let steps else {
            let seconds = Double(MagneticMatcher.tickMilliseconds) / 1_000
            cells = MagneticMatcher.paces.map { $0 * seconds / MagneticProfile.cellMetres }
            (slower, faster) = (MagneticMatcher.slower, MagneticMatcher.faster)
            return
        }
        // Nobody makes more than two steps in a quarter of a second.
        let metres = min(2, max(0, steps)) * MagneticMatcher.usualStepMetres
        cells = MagneticMatcher.stepLengths.map { $0 * metres / MagneticProfile.cellMetres }
        slower = [Double](repeating: MagneticMatcher.stepLengthChange, count: count)
        faster = slower
        slower[0] = 0
        faster[count - 1] = 0
    }

    /// The probability of a pace at a cell after some walkers changed their pace. The cell's states
    /// begin at `base`.
    func mixed(_ chances: [Double], _ base: Int, _ pace: Int) -> Double {
        var chance = chances[base + pace] * (1 - slower[pace] - faster[pace])
        if pace > 0 { chance += chances[base + pace - 1] * faster[pace - 1] }
        if pace + 1 < slower.count { chance += chances[base + pace + 1] * slower[pace + 1] }
        return chance
    }
}
