import Glibc

/// Radii that contain the true place as often as stated, computed from signs of the estimate's
/// error.
///
/// A radius is factor x (spread + 1)^a x (distance + 0.05)^b x (disagreement + 1)^c, in metres.
struct RadiusModel: Hashable, Sendable {
    /// The signs of an estimate's error.
    struct Evidence: Hashable, Sendable {
        /// The spread of the candidates, in metres.
        var spread: Double
        /// The smallest distance to an anchor.
        var distance: Double
        /// The distance between the places of two positioners, in metres.
        var disagreement: Double

        /// The logarithms, so that the powers become factors.
        fileprivate var logarithms: SIMD3<Double> {
            SIMD3(log(spread + 1), log(distance + 0.05), log(disagreement + 1))
        }
    }

    /// The result of locating a scan whose true place is known.
    struct Outcome: Hashable, Sendable {
        /// The distance from the true place, in metres.
        var error: Double
        var evidence: Evidence
        /// Whether the place was removed from the map. Most visitors stand nearer to a surveyed
        /// place than a removed place lies to its neighbours.
        var isNewPlace: Bool
    }

    /// The weight of new places where surveyed places were tried too. Found with the training parts
    /// of the UJI library, months 2 to 6 on later ones, and of UJIIndoorLoc, telephones left out
    /// (docs/accuracy.md, section Radii).
    static let newPlaceShare = 0.5
    /// Errors are multiplied by this where surveyed places could not be tried: a map of one session
    /// has no data of other telephones. Found with maps of one survey a place, by some of the
    /// telephones of UJIIndoorLoc's training part, and scans by its others.
    static let untriedFactor = 1.15
    /// Metres; added to each error, which keeps its logarithm finite.
    static let leastError = 0.5
    /// The shares of the fitted powers that are tried; the one with the best radii is chosen. A
    /// share of 0 gives one constant radius.
    static let strengths = [0, 0.25, 0.5, 0.75, 1]
    /// The ridge, as a variance, that draws the powers towards 0.
    static let ridge = 0.02

    /// The powers that a choice may have.
    static let powerRange = -4.0...4.0

    var powers: SIMD3<Double>
    var factor68: Double
    var factor95: Double

    /// The model for maps with too few outcomes to fit one.
    static let unknown = RadiusModel(powers: SIMD3(1, 0, 0), factor68: 1.1, factor95: 2)

    /// - Parameters:
    ///   - knownPlacesUntried: whether the scans at surveyed places were copies of the surveys.
    ///   Those are not among the outcomes.
    ///   - isDisturbed: whether few scanners surveyed the map, so that its trials are of changed
    ///     scans, or of walks that were left out.
    init(_ outcomes: [Outcome], knownPlacesUntried: Bool, isDisturbed: Bool) {
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
            // A choice with others could not be read again.
            guard (0..<3).allSatisfy({ Self.powerRange.contains(model.powers[$0]) }) else {
                continue
            }
            let ratios = weighted.map { (model.ratio($0.outcome), $0.weight) }
                .sorted { $0.0 < $1.0 }
            model.factor68 = Self.quantile(ratios, 0.68)
            model.factor95 = max(model.factor68, Self.quantile(ratios, 0.95))
            let score = model.intervalScore(weighted)
            guard score < best else { continue }
            best = score
            let factor = knownPlacesUntried ? Self.untriedFactor : 1
            let pooled95 = factor * model.factor95
            model.setFactors(groups, shares, by: factor)
            // A mean of quantiles hides the new places beyond it: on later days one radius in six
            // failed there. So it is the quantile of all trials (docs/accuracy.md, section Radii).
            if isDisturbed { model.factor95 = max(model.factor68, pooled95) }
            self = model
        }
    }

    init(powers: SIMD3<Double>, factor68: Double, factor95: Double) {
        self.powers = powers
        self.factor68 = factor68
        self.factor95 = factor95
    }

    /// The factor of the radii for this evidence, before `factor68` and `factor95`.
    func scale(_ evidence: Evidence) -> Double { exp((powers * evidence.logarithms).sum()) }

    private func ratio(_ outcome: Outcome) -> Double { outcome.error / scale(outcome.evidence) }

    /// Sets the factors to the geometric mean of each group's quantiles, weighted by its share. A
    /// visitor is somewhere between the groups.
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

    /// The mean over both levels of radius + (error beyond the radius) / (1 - level). It is
    /// smallest for radii that are both right and small (Gneiting and Raftery 2007, section 6.2).
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

    /// Fits the powers by weighted least squares of log(error), solving the three normal equations
    /// by elimination.
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
        // The matrix is positive definite, so elimination needs no pivoting.
        for pivot in 0..<3 {
            rows[pivot] /= rows[pivot][pivot]
            for row in 0..<3 where row != pivot { rows[row] -= rows[row][pivot] * rows[pivot] }
        }
        return SIMD3(rows[0][3], rows[1][3], rows[2][3])
    }
}
