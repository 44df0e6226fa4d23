public import Events

/// A walk along a route that passed all checks: dense, plausible, and with a place for each sample.
public struct CheckedWalk: Hashable, Sendable {
    public struct Place: Hashable, Sendable {
        public var atMilliseconds: Int
        /// Metres from the end at which the walk began.
        public var walkedMetres: Double
        public var feature: FieldFeature
    }

    public let places: [Place]

    init(places: [Place]) { self.places = places }

    /// - Parameter isBackward: whether the walk went from the path's last point to its first.
    public init(
        _ walk: MagneticWalk, along path: MagneticPath, isBackward: Bool = false
    ) throws(MagneticFault) {
        let features = try Self.check(walk.samples)
        let first = walk.samples[0].atMilliseconds
        let last = walk.samples[walk.samples.count - 1].atMilliseconds
        var passages = walk.passedAtMilliseconds
        var arcs = isBackward ? path.arcs.reversed().map { path.lengthMetres - $0 } : path.arcs
        if passages.isEmpty { (passages, arcs) = ([first, last], [0, path.lengthMetres]) }
        guard passages.count == arcs.count, passages[0] >= first,
            passages[passages.count - 1] <= last,
            zip(passages, passages.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .passagesMalformed }
        let seconds = Double(passages[passages.count - 1] - passages[0]) / 1_000
        let speed = path.lengthMetres / seconds
        guard MagneticLimits.meanSpeed.contains(speed) else {
            throw .speedOutOfRange(metresPerSecond: speed)
        }
        places = Self.places(
            walk.samples, features, passages, arcs, try StepClock(walk.stepsAtMilliseconds))
    }

    private static func check(_ samples: [MagneticSample]) throws(MagneticFault) -> [FieldFeature] {
        guard samples.count >= MagneticLimits.samples.lowerBound else { throw .tooFewSamples }
        guard samples.count <= MagneticLimits.samples.upperBound else { throw .tooManySamples }
        var features: [FieldFeature] = []
        features.reserveCapacity(samples.count)
        for (index, sample) in samples.enumerated() {
            if index > 0 {
                let (gap, overflow) = sample.atMilliseconds.subtractingReportingOverflow(
                    samples[index - 1].atMilliseconds)
                guard !overflow, gap > 0 else { throw .timeNotAscending(index: index) }
                guard gap <= MagneticLimits.longestGapMilliseconds else {
                    throw .gapTooLong(index: index)
                }
            }
            guard let feature = FieldFeature(sample) else { throw .fieldOutOfRange(index: index) }
            if sample.gravity != nil, feature.down == nil { throw .gravityMalformed(index: index) }
            features.append(feature)
        }
        let span = samples[samples.count - 1].atMilliseconds - samples[0].atMilliseconds
        let rate = Double(samples.count - 1) / Double(span) * 1_000
        // Times in whole milliseconds can make an exact ten a second look slightly slower.
        guard rate >= MagneticLimits.leastSamplesPerSecond * 0.995 else {
            throw .rateTooLow(samplesPerSecond: rate)
        }
        return features
    }

    /// The place of each sample. Between two passages the walker is assumed to have kept one length
    /// of step, or one pace where no steps were counted. Samples before the first passage or after
    /// the last are left out.
    private static func places(
        _ samples: [MagneticSample], _ features: [FieldFeature], _ passages: [Int],
        _ arcs: [Double],
        _ clock: StepClock?
    ) -> [Place] {
        var places: [Place] = []
        places.reserveCapacity(samples.count)
        var next = 1
        for (sample, feature) in zip(samples, features) {
            let at = sample.atMilliseconds
            guard at >= passages[0], at <= passages[passages.count - 1] else { continue }
            while passages[next] < at { next += 1 }
            let share =
                clock?.share(of: at, from: passages[next - 1], to: passages[next])
                ?? Double(at - passages[next - 1]) / Double(passages[next] - passages[next - 1])
            let walked = arcs[next - 1] + share * (arcs[next] - arcs[next - 1])
            places.append(Place(atMilliseconds: at, walkedMetres: walked, feature: feature))
        }
        return places
    }
}
