import Glibc

/// Radii that hold the truth as often as they say, from what an answer tells of its own error.
///
/// A radius is factor x (spread + 1)^a x (distance + 0.05)^b x (disagreement + 1)^c, in metres.
struct RadiusModel: Hashable, Sendable {
    /// What an answer tells of its own error.
    struct Evidence: Hashable, Sendable {
        /// Metres: how far the candidates lie apart.
        var spread: Double
        /// The smallest distance to an anchor.
        var distance: Double
        /// Metres: how far two ways of locating lie apart.
        var disagreement: Double

        /// Logarithms, to which powers are factors.
        fileprivate var logarithms: SIMD3<Double> {
            SIMD3(log(spread + 1), log(distance + 0.05), log(disagreement + 1))
        }
    }

    /// What became of a scan whose place is known.
    struct Outcome: Hashable, Sendable {
        /// Metres.
        var error: Double
        var evidence: Evidence
        /// Whether the place was taken out of the map. Most visitors stand nearer to a surveyed
        /// place than one that is taken out of a survey lies to its neighbours.
        var isNewPlace: Bool
    }

    /// What new places count for where known ones were tried too.
    static let newPlaceShare = 0.25
    /// Where known places could not be tried, errors are taken to be larger by this: a map of one
    /// session knows little of other telephones. Found with maps of one survey a place by some of
    /// the telephones of UJIIndoorLoc's training part, and scans by its others.
    static let untriedFactor = 1.15
    /// Metres; keeps the logarithm of a small error finite.
    static let leastError = 0.5
    /// How much of the powers that regression finds is used; the sharpest is chosen, 0 is one
    /// constant radius.
    static let strengths = [0, 0.25, 0.5, 0.75, 1]
    /// Draws powers towards 0, as a variance.
    static let ridge = 0.02

    var powers: SIMD3<Double>
    var factor68: Double
    var factor95: Double

    /// What is said where too little is known to learn it.
    static let unknown = RadiusModel(powers: SIMD3(1, 0, 0), factor68: 1.1, factor95: 2)

    /// - Parameter knownPlacesUntried: the scans at known places were copies of the surveys, and
    ///   are not among the outcomes.
    init(_ outcomes: [Outcome], knownPlacesUntried: Bool) {
        self = .unknown
        guard outcomes.count >= LeaveOutTrials.fewestOutcomes else { return }
        let groups = [true, false].map { isNew in outcomes.filter { $0.isNewPlace == isNew } }
            .filter { !$0.isEmpty }
        let shares = groups.count > 1 ? [Self.newPlaceShare, 1 - Self.newPlaceShare] : [1]
        let weighted = zip(groups, shares).flatMap { group, share in
            group.map { (outcome: $0, weight: share / Double(group.count)) }
        }
        let slopes = Self.regression(weighted)
        var best = Double.infinity
        for strength in Self.strengths {
            var model = RadiusModel(powers: strength * slopes, factor68: 1, factor95: 1)
            let ratios = weighted.map { (model.ratio($0.outcome), $0.weight) }
                .sorted { $0.0 < $1.0 }
            model.factor68 = Self.quantile(ratios, 0.68)
            model.factor95 = max(model.factor68, Self.quantile(ratios, 0.95))
            let score = model.intervalScore(weighted)
            guard score < best else { continue }
            best = score
            model.setFactors(groups, shares, by: knownPlacesUntried ? Self.untriedFactor : 1)
            self = model
        }
    }

    init(powers: SIMD3<Double>, factor68: Double, factor95: Double) {
        self.powers = powers
        self.factor68 = factor68
        self.factor95 = factor95
    }

    /// What the factors are multiplied by.
    func scale(_ evidence: Evidence) -> Double { exp((powers * evidence.logarithms).sum()) }

    private func ratio(_ outcome: Outcome) -> Double { outcome.error / scale(outcome.evidence) }

    /// The geometric mean of the quantiles of each group, weighted by its share: a visitor is a bit
    /// of both.
    private mutating func setFactors(
        _ groups: [[Outcome]], _ shares: [Double], by factor: Double
    ) {
        func mean(_ level: Double) -> Double {
            let logarithm = zip(groups, shares).reduce(0) { sum, part in
                let ratios = part.0.map(ratio).sorted().map { ($0, 1 / Double(part.0.count)) }
                return sum + part.1 * log(max(Self.quantile(ratios, level), 1e-9))
            }
            return factor * exp(logarithm)
        }
        factor68 = mean(0.68)
        factor95 = max(factor68, mean(0.95))
    }

    /// The mean over both levels of radius + (error beyond the radius) / (1 - level): smallest for
    /// radii that are both right and small (Gneiting and Raftery 2007, section 6.2).
    private func intervalScore(_ outcomes: [(outcome: Outcome, weight: Double)]) -> Double {
        outcomes.reduce(0) { sum, entry in
            let scale = scale(entry.outcome.evidence)
            let (radius68, radius95) = (factor68 * scale, factor95 * scale)
            let score68 = radius68 + max(0, entry.outcome.error - radius68) / 0.32
            let score95 = radius95 + max(0, entry.outcome.error - radius95) / 0.05
            return sum + entry.weight * (score68 + score95) / 2
        }
    }

    private static func quantile(_ sorted: [(Double, Double)], _ share: Double) -> Double {
        var sum = 0.0
        for (value, weight) in sorted {
            sum += weight
            if sum >= share { return value }
        }
        return sorted[sorted.count - 1].0
    }

    /// The powers by weighted least squares of log(error), by elimination of the three normal
    /// equations.
    private static func regression(
        _ outcomes: [(outcome: Outcome, weight: Double)]
    ) -> SIMD3<Double> {
        let total = outcomes.reduce(0) { $0 + $1.weight }
        let centre =
            outcomes.reduce(SIMD3<Double>()) { $0 + $1.weight * $1.outcome.evidence.logarithms }
            / total
        let target =
            outcomes.reduce(0) { $0 + $1.weight * log($1.outcome.error + leastError) } / total
        var rows = [SIMD4<Double>](repeating: SIMD4(), count: 3)
        for (outcome, weight) in outcomes {
            let x = outcome.evidence.logarithms - centre
            let y = log(outcome.error + leastError) - target
            for row in 0..<3 {
                rows[row] += weight / total * x[row] * SIMD4(x, y)
            }
        }
        for row in 0..<3 { rows[row][row] += ridge }
        // The matrix is positive definite: no pivot is needed.
        for pivot in 0..<3 {
            rows[pivot] /= rows[pivot][pivot]
            for row in 0..<3 where row != pivot { rows[row] -= rows[row][pivot] * rows[pivot] }
        }
        return SIMD3(rows[0][3], rows[1][3], rows[2][3])
    }
}
