import Glibc

extension MagneticMatcher {
    /// The deviation of readings at one place between walks of one phone, in microtesla. It comes
    /// from noise, another height of the hand, and half a step to the side.
    static let spreadMicrotesla = 2.5
    /// The exponent of each tick's likelihood. It is below 1, because the errors of successive
    /// ticks are alike.
    static let temper = 0.5
    /// The smallest likelihood of a reading on a route, as a share of the likelihood of a perfect
    /// one.
    static let outlier = 0.01
    /// Elsewhere, the strength of the field is uniform over a range of this width in microtesla.
    static let elsewhereMicrotesla = 60.0

    /// Weighs each cell by the measured field, and brings the cell's offset nearer to that field.
    func weigh(_ belief: inout MagneticBelief, _ feature: FieldFeature) {
        let (paces, weigher) = (Self.paces.count, Weigher(variance: belief.offsets.variance))
        var total = 0.0
        for lane in lanes {
            let first = lane.offset / paces
            for (index, expected) in lane.features.enumerated() {
                let cell = first + index
                let likelihood = weigher.weigh(feature, expected, &belief.offsets, cell)
                for state in (cell * paces)..<((cell + 1) * paces) {
                    belief.chances[state] *= likelihood
                    total += belief.chances[state]
                }
            }
        }
        belief.offsets.variance = weigher.varianceAfter
        belief.elsewhere *= Self.elsewhereLikelihood(feature)
        total += belief.elsewhere
        // The outlier share keeps every likelihood above zero, so the total can't become zero.
        for state in belief.chances.indices { belief.chances[state] /= total }
        belief.elsewhere /= total
    }

    /// The likelihood of a feature for a walker who is elsewhere. It is the uniform density over
    /// the wide range, relative to the normal density at its peak.
    private static func elsewhereLikelihood(_ feature: FieldFeature) -> Double {
        let one = pow(
            spreadMicrotesla * (2 * Double.pi).squareRoot() / elsewhereMicrotesla, temper)
        return feature.down == nil ? one : one * one
    }
}

/// Compares a tick's feature with those of the cells. The variance of offsets is the same for all.
private struct Weigher {
    let varianceAfter: Double
    /// The variance of a reading at a cell: that of readings and that of the offset.
    private let variance: Double
    /// The density of a perfect reading, relative to that of one without an offset.
    private let peak: Double
    private let gain: Double

    init(variance: Double) {
        let own = MagneticMatcher.spreadMicrotesla * MagneticMatcher.spreadMicrotesla
        self.variance = own + variance
        peak = (own / (own + variance)).squareRoot()
        // Readings count by the exponent of their likelihood.
        varianceAfter = 1 / (1 / variance + MagneticMatcher.temper / own)
        gain = varianceAfter * MagneticMatcher.temper / own
    }

    /// The likelihood of a feature in a cell that expects another one, from 0 to 1. The call also
    /// changes the cell's offsets.
    func weigh(
        _ feature: FieldFeature, _ expected: FieldFeature, _ offsets: inout MagneticOffsets,
        _ cell: Int
    ) -> Double {
        guard let level = feature.level, let down = feature.down,
            let expectedLevel = expected.level, let expectedDown = expected.down
        else {
            return weigh(feature.magnitude - expected.magnitude, &offsets.level[cell])
        }
        return weigh(level - expectedLevel, &offsets.level[cell])
            * weigh(down - expectedDown, &offsets.down[cell])
    }

    /// A reading counts for the offset as far as it is no outlier.
    private func weigh(_ difference: Double, _ offset: inout Double) -> Double {
        let left = difference - offset
        let outlier = MagneticMatcher.outlier
        let inlier = (1 - outlier) * peak * exp(-left * left / (2 * variance))
        offset += gain * left * inlier / (outlier + inlier)
        return pow(outlier + inlier, MagneticMatcher.temper)
    }
}
