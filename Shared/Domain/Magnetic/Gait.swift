/// How each pace moves in one tick.
struct Gait: Sendable {
    /// Cells that each pace goes.
    var cells: [Double]
    var slower: [Double]
    var faster: [Double]

    /// - Parameter steps: made in the tick; nil where they are not known.
    init(steps: Double?) {
        let count = MagneticMatcher.paces.count
        guard let steps else {
            let seconds = Double(MagneticMatcher.tickMilliseconds) / 1_000
            cells = MagneticMatcher.paces.map { $0 * seconds / MagneticProfile.cellMetres }
            (slower, faster) = (MagneticMatcher.slower, MagneticMatcher.faster)
            return
        }
        // No one makes more than two steps in a quarter of a second.
        let metres = min(2, max(0, steps)) * MagneticMatcher.usualStepMetres
        cells = MagneticMatcher.stepLengths.map { $0 * metres / MagneticProfile.cellMetres }
        slower = [Double](repeating: MagneticMatcher.stepLengthChange, count: count)
        faster = slower
        slower[0] = 0
        faster[count - 1] = 0
    }

    /// The chance of a pace at a cell, whose states begin at `base`, after it may have changed.
    func mixed(_ chances: [Double], _ base: Int, _ pace: Int) -> Double {
        var chance = chances[base + pace] * (1 - slower[pace] - faster[pace])
        if pace > 0 { chance += chances[base + pace - 1] * faster[pace - 1] }
        if pace + 1 < slower.count { chance += chances[base + pace + 1] * slower[pace + 1] }
        return chance
    }
}
