/// The offsets of a walker's phone from the phones that recorded the routes, in microtesla. Each
/// cell of each lane has the offset that a walker who is there would have.
///
/// A phone's own magnetism adds about the same to each of its readings. The way to a cell fixes the
/// offset there, so each way keeps its own mean. The wrong ways need offsets that do not last. The
/// variance is the same for all. It grows a little with each tick, because people turn and tilt
/// their phones. Together they are a Kalman filter in each cell of the hidden Markov model, and
/// paths that meet are merged by their means. That is the generalised pseudo-Bayesian filter of
/// order one.
///
/// Source: Y. Bar-Shalom et al., "Estimation with Applications to Tracking and Navigation", 2001,
/// section 11.6.
struct MagneticOffsets: Hashable, Sendable {
    /// The deviation of the offset when a walk begins. It is less than that between phones, because
    /// many walkers have the surveyor's kind of phone; the drift soon makes room for others. It and
    /// `driftMicrotesla` were chosen on simulated walks of seeds 1 to 20 (docs/accuracy.md,
    /// "Magnetic routes").
    static let priorMicrotesla = 2.0
    /// The deviation of an offset's change within a tick.
    static let driftMicrotesla = 0.5

    /// The offset of the level part, or of the strength where gravity is not known.
    var level: [Double]
    var down: [Double]
    var variance: Double

    /// Nothing is known of the phone yet.
    static func unknown(cells: Int) -> Self {
        none(cells: cells, variance: priorMicrotesla * priorMicrotesla)
    }

    static func none(cells: Int, variance: Double) -> Self {
        let zeros = [Double](repeating: 0, count: cells)
        return Self(level: zeros, down: zeros, variance: variance)
    }

    mutating func drift() { variance += Self.driftMicrotesla * Self.driftMicrotesla }

    mutating func add(_ other: Self, _ from: Int, _ share: Double, to cell: Int) {
        level[cell] += share * other.level[from]
        down[cell] += share * other.down[from]
    }

    /// The means over all cells, from sums of which each was made with its cell's probability.
    ///
    /// - Parameter total: the sum of these probabilities.
    func mean(of total: Double) -> (level: Double, down: Double) {
        guard total > 0 else { return (0, 0) }
        return (level.reduce(0, +) / total, down.reduce(0, +) / total)
    }
}
