import Accuracy
import Geometry

/// The settings that locate a radio map's own scans best, and the radii that go with them.
struct BlendChoice: Sendable {
    /// Exponent and temperature, and weight of the likelihood, of the places to choose from.
    static let places: [(temperature: Double, likelihood: Double)] = [
        (0.02, 0), (0.03, 0), (0.05, 0), (0.04, 0.1), (0.04, 0.2), (0.06, 0.3),
    ]
    static let floorLikelihoods = [0.02, 0, 0.1, 0.2]
    /// What scans at known and at new places count for in the radii: most visitors stand nearer to a
    /// surveyed place than one that was taken out of the survey lies to its neighbours.
    static let radiusWeights: [CrossValidation.Kind: Double] = [.newPlace: 0.3, .knownPlace: 0.7]
    /// A map with less is not chosen for.
    static let fewestFingerprints = 40
    static let fewestPlaces = 8

    var settings: BlendSettings
    var radii: RadiusModel
    /// Metres in cross-validation; nil where there was nothing to choose by.
    var cost: Double?
    var floorHit: Double?

    /// For maps that are too small to choose.
    static let fallback = BlendChoice(
        settings: BlendSettings(
            exponent: 1, temperature: 0.03, likelihood: 0, floorExponent: 3, floorLikelihood: 0.02),
        radii: .unknown)

    private init(
        settings: BlendSettings, radii: RadiusModel, cost: Double? = nil, floorHit: Double? = nil
    ) {
        self.settings = settings
        self.radii = radii
        self.cost = cost
        self.floorHit = floorHit
    }

    /// Equal maps and seeds give equal choices.
    init(for map: RadioMap, seed: UInt64 = 1) {
        self = .fallback
        guard map.fingerprints.count >= Self.fewestFingerprints,
            map.places.count >= Self.fewestPlaces
        else { return }
        let validation = CrossValidation(map, seed: seed)
        guard !validation.folds.isEmpty else { return }
        let models = validation.folds.map { AnchorModel(map, of: $0.training) }
        let trials = BlendTrials(map, validation, models, seed: seed)
        let best = trials.best()
        settings = best.settings
        cost = best.cost
        floorHit = best.floorHit
        radii = RadiusModel(trials.outcomes(of: settings))
    }
}

/// Every setting tried on every scan of a cross-validation.
private struct BlendTrials {
    let map: RadioMap
    let validation: CrossValidation
    let models: [AnchorModel]
    private var places: [Tally]
    private var floors: [Tally]

    private static let placeSettings = AnchorDistances.exponents.indices.flatMap { exponent in
        BlendChoice.places.map { place in
            BlendSettings(
                exponent: exponent, temperature: place.temperature, likelihood: place.likelihood,
                floorExponent: 0, floorLikelihood: 0)
        }
    }
    private static let floorSettings = AnchorDistances.exponents.indices.reversed().flatMap {
        exponent in
        BlendChoice.floorLikelihoods.map { likelihood in
            BlendSettings(
                exponent: 0, temperature: 1, likelihood: 0, floorExponent: exponent,
                floorLikelihood: likelihood)
        }
    }

    /// Sums by kind of scan, so that each kind counts the same however many scans it has.
    private struct Tally {
        private var sums: [CrossValidation.Kind: (sum: Double, count: Double)] = [:]

        mutating func add(_ value: Double, _ kind: CrossValidation.Kind) {
            let before = sums[kind] ?? (0, 0)
            sums[kind] = (before.sum + value, before.count + 1)
        }

        var mean: Double {
            // In a fixed order, so that equal sums are equal to the last bit.
            let means = CrossValidation.Kind.allCases.compactMap { kind in
                sums[kind].map { $0.sum / $0.count }
            }
            return means.reduce(0, +) / Double(max(1, means.count))
        }
    }

    init(_ map: RadioMap, _ validation: CrossValidation, _ models: [AnchorModel], seed: UInt64) {
        self.map = map
        self.validation = validation
        self.models = models
        places = [Tally](repeating: Tally(), count: Self.placeSettings.count)
        floors = [Tally](repeating: Tally(), count: Self.floorSettings.count)
        var random = SplitMix64(seed: seed &+ 1)
        var scratch = PositionerScratch()
        var readings: [NumberedReading] = []
        for (fold, model) in zip(validation.folds, models) {
            let disturbance =
                validation.isDisturbed
                ? Disturbance(transmitters: map.transmitters.count, random: &random) : nil
            for test in fold.tests {
                map.numberedReadings(of: Int(test.fingerprint), into: &readings)
                disturbance?.apply(
                    to: &readings, isCopy: test.kind == .sameSurvey, random: &random)
                guard model.compare(readings, scratch: &scratch) > 0 else { continue }
                tally(model, test, &scratch)
            }
        }
    }

    private mutating func tally(
        _ model: AnchorModel, _ test: CrossValidation.Test, _ scratch: inout PositionerScratch
    ) {
        let truth = map.fingerprints[Int(test.fingerprint)]
        for (index, settings) in Self.placeSettings.enumerated() {
            let place = model.place(settings, floors: map.floors.count, scratch: &scratch)
            places[index].add(place.mean.point.distance(to: truth.point), test.kind)
        }
        scratch.candidates.removeAll(keepingCapacity: true)
        for (index, settings) in Self.floorSettings.enumerated() {
            let elected = model.electFloor(settings, floors: map.floors.count, scratch: &scratch)
            floors[index].add(elected.floor == truth.floor ? 1 : 0, test.kind)
        }
    }

    /// The first of equals.
    func best() -> (settings: BlendSettings, cost: Double, floorHit: Double) {
        let costs = places.map(\.mean)
        let hits = floors.map(\.mean)
        let place = costs.firstIndex(of: costs.min()!)!
        let floor = hits.firstIndex(of: hits.max()!)!
        var settings = Self.placeSettings[place]
        settings.floorExponent = Self.floorSettings[floor].floorExponent
        settings.floorLikelihood = Self.floorSettings[floor].floorLikelihood
        return (settings, costs[place], hits[floor])
    }

    /// Of undisturbed scans, each kind weighted as a whole.
    func outcomes(of settings: BlendSettings) -> [RadiusModel.Outcome] {
        var byKind: [CrossValidation.Kind: [RadiusModel.Outcome]] = [:]
        var scratch = PositionerScratch()
        var readings: [NumberedReading] = []
        for (fold, model) in zip(validation.folds, models) {
            for test in fold.tests where BlendChoice.radiusWeights[test.kind] != nil {
                map.numberedReadings(of: Int(test.fingerprint), into: &readings)
                guard model.compare(readings, scratch: &scratch) > 0 else { continue }
                let place = model.place(settings, floors: map.floors.count, scratch: &scratch)
                let truth = map.fingerprints[Int(test.fingerprint)].point
                byKind[test.kind, default: []].append(
                    RadiusModel.Outcome(
                        error: place.mean.point.distance(to: truth),
                        spread: place.mean.candidateSpread, distance: place.leastDistance,
                        weight: 1))
            }
        }
        return CrossValidation.Kind.allCases.flatMap { kind in
            let outcomes = byKind[kind] ?? []
            let weight =
                (byKind.count > 1 ? BlendChoice.radiusWeights[kind] ?? 0 : 1)
                / Double(max(1, outcomes.count))
            return outcomes.map { outcome in
                var weighted = outcome
                weighted.weight = weight
                return weighted
            }
        }
    }
}

extension RadioMap {
    /// A fingerprint as a scan of numbered transmitters.
    func numberedReadings(of fingerprint: Int, into readings: inout [NumberedReading]) {
        readings.removeAll(keepingCapacity: true)
        for position in self.readings(of: fingerprint) {
            readings.append(
                NumberedReading(
                    transmitter: readingTransmitter[position], rssi: Float(readingRSSI[position])))
        }
    }
}
