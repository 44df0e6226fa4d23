/// Changes beacons on their way, for instance by what was heard before.
public protocol BeaconTransformer: Sendable {
    /// Beacons come in the order in which they were heard.
    mutating func transform(_ beacon: RangedBeacon) -> RangedBeacon
}

/// Filters and transformers in a row.
public struct BeaconPipeline: Sendable {
    public enum Step: Sendable {
        case filter(any BeaconFilter)
        case transformer(any BeaconTransformer)
    }

    private var steps: [Step]

    /// Order matters: a constraint on majors comes after the battery has been taken out of them,
    /// and one on distance after smoothing.
    public init(_ steps: [Step]) { self.steps = steps }

    /// What is left of the beacons of one scan.
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
