import Glibc

/// The odds of a device being outdoors, together with what is known of its receiver.
///
/// A receiver is some decibels stronger or weaker than the surveyor's, and nobody knows by how
/// much. A weak one indoors resembles a strong one outdoors. So the belief is over both: a side of
/// the door, and an offset. It is a hidden Markov model whose side may change between scans, while
/// the offset stays (Rabiner 1989, section III A). A level that was usual for an hour is no sign of
/// a wall, and one that drops is.
struct OutdoorsOdds: Hashable, Sendable {
    typealias Offsets = SIMD8<Float>

    /// The offsets in dB, in equal steps.
    static let offsets = Offsets((0..<8).map { Float($0) * 3 - 10.5 })
    /// The step of a belief's logarithm in bytes.
    private static let step: Float = 0.05
    /// No belief is below this share of the largest: e^-12.5, which bytes still hold.
    static let leastShare: Float = 3.7e-6
    /// A level makes no belief smaller than by e^-60 in relation to the best. Less would be 0 in a
    /// `Float`, and the odds of a side without any belief are no number.
    private static let mostCost: Float = 60
    static let byteCount = 2 * Offsets.scalarCount

    /// The belief in each offset, on either side.
    private(set) var indoors: Offsets
    private(set) var outdoors: Offsets

    /// The evidence of one scan.
    struct Evidence: Hashable, Sendable {
        /// The level of the strongest readings, in dB above that behind the nearest door; nil
        /// without.
        var level: Double?
        /// The deviation of that level indoors, in dB.
        var deviation = OutdoorsRules.deviationAtDoor
        /// The share of the level's evidence that counts, from 0 to 1.
        var weight = 0.0
        /// All other evidence for outdoors, as a logarithm of odds.
        var other = 0.0
    }

    /// The odds of a device of which nothing is known.
    init() {
        let deviation = Float(OutdoorsRules.offsetDeviation)
        var prior = Self.map(Self.offsets) { exp(-$0 * $0 / (2 * deviation * deviation)) }
        prior /= prior.sum()
        (indoors, outdoors) = (prior, prior * Float(exp(OutdoorsRules.start)))
    }

    /// The logarithm of the odds of outdoors.
    var logarithm: Double { Double(log(outdoors.sum() / indoors.sum())) }

    /// Moves a share of the belief to the other side.
    mutating func pass(_ share: Double) {
        let share = Float(share)
        let (inside, outside) = (indoors, outdoors)
        indoors = inside * (1 - share) + outside * share
        outdoors = outside * (1 - share) + inside * share
    }

    /// Multiplies the belief by the likelihood of a scan.
    mutating func weigh(_ evidence: Evidence) {
        let before = logarithm
        if let level = evidence.level, evidence.weight > 0 {
            let (above, weight) = (Float(level) - Self.offsets, Float(evidence.weight))
            let deviation = Float(evidence.deviation)
            let costs = Self.map(above) { Self.cost($0, deviation) * weight }
            let others = Self.map(above) { Self.costOutdoors($0) * weight }
            // The best of both is 1, and the bound keeps a side from vanishing altogether.
            let least = min(costs.min(), others.min())
            indoors *= Self.map(costs) { exp(max(least - $0, -Self.mostCost)) }
            outdoors *= Self.map(others) { exp(max(least - $0, -Self.mostCost)) }
        }
        let after = logarithm + evidence.other
        let change = max(-OutdoorsRules.mostOfScan, min(OutdoorsRules.mostOfScan, after - before))
        let bounded = max(-OutdoorsRules.most, min(OutdoorsRules.most, before + change))
        outdoors *= Float(exp(bounded - logarithm))
        let least = Self.leastShare * max(indoors.max(), outdoors.max())
        indoors = pointwiseMax(indoors, Offsets(repeating: least))
        outdoors = pointwiseMax(outdoors, Offsets(repeating: least))
        let total = indoors.sum() + outdoors.sum()
        indoors /= total
        outdoors /= total
    }

    /// The negative logarithm of the density of a level that is `above` the one expected.
    private static func cost(_ above: Float, _ deviation: Float) -> Float {
        let ratio = above / deviation
        return ratio * ratio / 2 + log(deviation)
    }

    private static func costOutdoors(_ above: Float) -> Float {
        let rest = above + Float(OutdoorsRules.dropDecibels)
        return cost(rest < 0 ? rest / 2 : rest, Float(OutdoorsRules.deviationOutdoors))
    }

    private static func map(_ values: Offsets, _ body: (Float) -> Float) -> Offsets {
        var mapped = values
        for lane in 0..<Offsets.scalarCount { mapped[lane] = body(values[lane]) }
        return mapped
    }

    // MARK: Bytes

    /// A byte for the logarithm of each belief, in relation to the largest.
    var bytes: [UInt8] {
        let largest = max(indoors.max(), outdoors.max())
        return [indoors, outdoors].flatMap { side in
            (0..<Offsets.scalarCount).map { lane in
                let share = max(side[lane] / largest, .leastNormalMagnitude)
                return UInt8(min(255, (-log(share) / Self.step).rounded()))
            }
        }
    }

    /// Reads as many bytes as `bytes` has; nil for another number of them.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let beliefs = bytes.map { exp(-Float($0) * Self.step) }
        indoors = Offsets(beliefs.prefix(Offsets.scalarCount))
        outdoors = Offsets(beliefs.suffix(Offsets.scalarCount))
        let total = indoors.sum() + outdoors.sum()
        guard indoors.sum() > 0, outdoors.sum() > 0 else { return nil }
        indoors /= total
        outdoors /= total
    }
}
