/// Changes received beacons, for instance with values of earlier readings.
public protocol BeaconTransformer: Sendable {
    /// Transforms one beacon. Beacons come in the order in which they were received.
    mutating func transform(_ beacon: RangedBeacon) -> RangedBeacon
}

/// A sequence of filters and transformers.
public struct BeaconPipeline: Sendable {
    public enum Step: Sendable {
        case filter(any BeaconFilter)
        case transformer(any BeaconTransformer)
    }

    private var steps: [Step]

    /// Makes a pipeline; the order of steps matters. A constraint on majors comes after the step
    /// that removes the battery from them. A limit of distance comes after smoothing.
    public init(_ steps: [Step]) { self.steps = steps }

    /// The beacons of one scan that are left after all steps.
    public mutating func process(_ beacons: [RangedBeacon]) -> [RangedBeacon] {
        beacons.compactMap { process($0) }
    }

    private mutating func process(_ beacon: RangedBeacon) -> RangedBeacon? {
        var beacon = beacon
        for index in steps.indices {
            switch steps[index] {
            case .filter(let filter):
                guard filter.admits(beacon) else { return nil }
            case .transformer(var transformer):
                beacon = transformer.transform(beacon)
                steps[index] = .transformer(transformer)
            }
        }
        return beacon
    }
}
