import Glibc

/// Radii that hold the truth as often as they say, from what an answer tells of its own error: how far
/// the candidates lie apart, and how unlike the scan the nearest of them is.
///
/// A radius is factor x (spread + 1)^a x (distance + 0.05)^b, in metres.
struct RadiusModel: Hashable, Sendable {
    /// What became of a scan whose place is known.
    struct Outcome: Hashable, Sendable {
        /// Metres.
        var error: Double
        /// Metres: how far the candidates lie apart.
        var spread: Double
        /// The smallest distance to an anchor.
        var distance: Double
        /// What the outcome counts for.
        var weight: Double
    }

    /// Metres.
    static let leastSpread = 1.0
    static let leastDistance = 0.05
    static let leastError = 0.5
    /// How much of the powers that regression finds is used; the sharpest is chosen, 0 is one constant
    /// radius.
    static let strengths = [0, 0.25, 0.5, 0.75, 1, 1.25]
    /// Draws powers towards 0, as a variance.
    static let ridge = 0.02

    var spreadPower: Double
    var distancePower: Double
    var factor68: Double
    var factor95: Double

    /// What is said where too little is known to learn it.
    static let unknown = RadiusModel(
        spreadPower: 1, distancePower: 0, factor68: 1.1, factor95: 2)

    init(spreadPower: Double, distancePower: Double, factor68: Double, factor95: Double) {
        self.spreadPower = spreadPower
        self.distancePower = distancePower
        self.factor68 = factor68
        self.factor95 = factor95
    }

    /// The powers by least squares of log(error), the factors as quantiles.
    init(_ outcomes: [Outcome]) {
        let total = outcomes.reduce(0) { $0 + $1.weight }
        guard outcomes.count >= SelfTest.fewestOutcomes, total > 0 else {
            self = .unknown
            return
        }
        let powers = Self.regression(outcomes, total)
        self = .unknown
        var best = Double.infinity
        for strength in Self.strengths {
            var model = RadiusModel(
                spreadPower: strength * powers.spread, distancePower: strength * powers.distance,
                factor68: 1, factor95: 1)
            let ratios = outcomes.map { outcome in
                (
                    ratio: outcome.error
                        / model.scale(spread: outcome.spread, distance: outcome.distance),
                    weight: outcome.weight / total
                )
            }.sorted { $0.ratio < $1.ratio }
            model.factor68 = Self.quantile(ratios, 0.68)
            model.factor95 = max(model.factor68, Self.quantile(ratios, 0.95))
            let score = model.intervalScore(outcomes) / total
            if score < best { (best, self) = (score, model) }
        }
    }

    /// What the factors are multiplied by.
    func scale(spread: Double, distance: Double) -> Double {
        pow(spread + Self.leastSpread, spreadPower)
            * pow(distance + Self.leastDistance, distancePower)
    }

    /// The mean over both levels of radius + (error beyond the radius) / (1 - level): smallest for
    /// radii that are both right and small (Gneiting and Raftery 2007, section 6.2).
    private func intervalScore(_ outcomes: [Outcome]) -> Double {
        outcomes.reduce(0) { sum, outcome in
            let scale = scale(spread: outcome.spread, distance: outcome.distance)
            let (radius68, radius95) = (factor68 * scale, factor95 * scale)
            let score68 = radius68 + max(0, outcome.error - radius68) / 0.32
            let score95 = radius95 + max(0, outcome.error - radius95) / 0.05
            return sum + outcome.weight * (score68 + score95) / 2
        }
    }

    private static func quantile(
        _ sorted: [(ratio: Double, weight: Double)], _ share: Double
    ) -> Double {
        var sum = 0.0
        for entry in sorted {
            sum += entry.weight
            if sum >= share { return entry.ratio }
        }
        return sorted[sorted.count - 1].ratio
    }

    private static func regression(
        _ outcomes: [Outcome], _ total: Double
    ) -> (spread: Double, distance: Double) {
        func mean(_ value: (Outcome) -> Double) -> Double {
            outcomes.reduce(0) { $0 + $1.weight * value($1) } / total
        }
        func first(_ outcome: Outcome) -> Double { log(outcome.spread + leastSpread) }
        func second(_ outcome: Outcome) -> Double { log(outcome.distance + leastDistance) }
        func target(_ outcome: Outcome) -> Double { log(outcome.error + leastError) }
        let (firstMean, secondMean, targetMean) = (mean(first), mean(second), mean(target))
        let aa = mean { (first($0) - firstMean) * (first($0) - firstMean) } + ridge
        let ab = mean { (first($0) - firstMean) * (second($0) - secondMean) }
        let bb = mean { (second($0) - secondMean) * (second($0) - secondMean) } + ridge
        let at = mean { (first($0) - firstMean) * (target($0) - targetMean) }
        let bt = mean { (second($0) - secondMean) * (target($0) - targetMean) }
        let determinant = aa * bb - ab * ab
        return ((at * bb - bt * ab) / determinant, (bt * aa - at * ab) / determinant)
    }
}
