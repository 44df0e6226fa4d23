import Geometry
import Numbers

/// The result of every setting for every scan of a cross-validation.
struct BlendTrials {
    /// One scan of a fold.
    private struct Trial {
        var kind: CrossValidation.Kind
        /// The number of the fold.
        var fold = 0
        /// The share of transmitters that remain in the fold's map in the scan's weight; nil where
        /// nothing tells whether the map knows the place.
        var knownShare: Double?
        var truth: RadioMap.Fingerprint
        /// The place by each of `BlendTrials.places`.
        var places: [Place]
        /// The mean of the neighbours by each exponent.
        var neighbours: [Point]
        /// The floor by each of `BlendTrials.floors`, without networks and with them.
        var floors: [Int32]
        var networkFloors: [Int32]
        var hasNetworks: Bool
        /// By the parts of a mixture; nil where one of them has no place.
        var parts: PartPlaces?
    }

    private struct Place {
        var point: Point
        /// The place by each of `BlendTrials.tempers`.
        var gaussian: [Point]
        var ridge: Point
        var spread: Double
        var distance: Double
    }

    /// The temperatures and likelihood weights that are tried with each exponent.
    private static let weights: [(temperature: Double, likelihood: Double)] = [
        (0.02, 0), (0.03, 0), (0.05, 0), (0.03, 0.1), (0.04, 0.1), (0.04, 0.2), (0.06, 0.3),
    ]
    /// The tempers of `GaussianLikelihood` that are tried.
    private static let tempers = [0.25, 0.125, 0.5]
    private static let floorLikelihoods = [0.02, 0, 0.1]
    /// The number of folds in which networks are tried. Few, because each fold trains networks of
    /// its own.
    private static let networkFolds = 3
    /// The loss in the share of right floors from which on networks are not used.
    private static let networkTolerance = 0.01
    /// Metres; a scan with no survey of its floor this near does not help to choose settings.
    private static let coveredMetres = 15.0
    /// The weight of the anchors in the place before all weights are scaled to sum up to 1.
    private static let anchorShare = 0.4
    private static let otherShare = 0.2
    /// The weight of the neighbours on a map that is too small to choose one. Found with maps of 18
    /// and 36 surveys (docs/accuracy.md, section Mixture).
    private static let smallMapNeighbourShare = 0.5
    /// The ratio of a view's error to the best error at new places, up to which the view gets its
    /// full weight. From `noRatio` on it gets none.
    private static let fullRatio = 1.15
    private static let noRatio = 1.3

    private static let exponents = Array(AnchorDistances.exponents.indices)
    private static let places: [BlendSettings] = exponents.flatMap { exponent in
        weights.map { weight in
            var settings = BlendChoice.fallback.settings
            settings.exponent = exponent
            settings.temperature = weight.temperature
            settings.likelihood = weight.likelihood
            return settings
        }
    }
    /// The settings of the floor's election that are tried, without networks.
    private static let floors: [BlendSettings] = exponents.reversed().flatMap { exponent in
        floorLikelihoods.map { likelihood in
            var settings = BlendChoice.fallback.settings
            settings.floorExponent = exponent
            settings.floorLikelihood = likelihood
            settings.floorNetworks = 0
            return settings
        }
    }

    private let plan: AnchorModel.Plan
    private let correction: OffsetCorrection
    /// Whether scans were disturbed copies of surveys, because hardly any place was surveyed twice.
    private let hasCopies: Bool
    /// Whether the map is too small to choose settings.
    private let isSmall: Bool
    /// All parts of a mixture; their weights are unknown yet.
    private let tried: MixtureShares
    private var trials: [Trial] = []

    init(_ map: RadioMap, _ validation: CrossValidation, seed: UInt64) {
        plan = AnchorModel.Plan(trying: map)
        hasCopies = validation.folds.contains { $0.tests.contains { $0.kind == .sameSurvey } }
        isSmall = map.fingerprints.count < BlendChoice.fewestFingerprints
        // A small map gets the fallback's settings, without a correction, so it is tried so.
        correction =
            plan.isOfManyScanners
            ? .full : isSmall ? .none : OffsetCorrection(map, validation)
        let familiarity = Familiarity(map.transmitters)
        // Where many scanners surveyed, only the blend takes out their offsets.
        tried =
            plan.isOfManyScanners
            ? .blendAlone
            : MixtureShares(
                cells: 0.25, gaussian: 0.25, trilateration: 0.25,
                temper: GaussianTrials(map).best(GaussianIndex(map)).temper)
        var random = SplitMix64(seed: seed &+ 1)
        var scratch = AnchorScratch()
        var partScratch = MixtureParts.Scratch()
        var readings: [NumberedReading] = []
        for (number, fold) in validation.folds.enumerated() {
            var own = plan
            own.trainsNetworks = plan.trainsNetworks && number < Self.networkFolds
            let model = AnchorModel(map, of: fold.training, plan: own)
            let isKnown = map.isReceived(in: fold.training)
            let hasParts =
                !tried.isBlendAlone && fold.tests.contains { $0.kind != .sameSurvey }
            // Nothing of what was left out may remain, such as the ground of `cells`.
            let parts = hasParts ? MixtureParts(map.part(fold.training), tried) : nil
            let disturbance =
                validation.isDisturbed
                ? Disturbance(transmitters: map.transmitters.count, random: &random) : nil
            for test in fold.tests {
                let truth = map.fingerprints[Int(test.fingerprint)]
                if plan.isOfManyScanners,
                    !model.anchors.cover(truth.point, truth.floor, within: Self.coveredMetres)
                {
                    continue
                }
                map.numberedReadings(of: Int(test.fingerprint), into: &readings)
                disturbance?.apply(
                    to: &readings, isCopy: test.kind == .sameSurvey, random: &random)
                let known = model.compare(
                    readings, correction: correction, lanes: Self.exponents.indices,
                    scratch: &scratch)
                guard known > 0, !scratch.touchedAnchors.isEmpty else { continue }
                var trial = Self.trial(model, test.kind, truth, &scratch)
                trial.fold = number
                trial.knownShare = familiarity?.knownShare(of: readings) {
                    let number = Int($0.transmitter)
                    return (map.transmitters[number], isKnown[number], Double($0.rssi))
                }
                trial.parts = parts.flatMap {
                    PartPlaces($0, map.scan(of: readings), scratch: &partScratch)
                }
                trials.append(trial)
            }
        }
    }

    private static func trial(
        _ model: AnchorModel, _ kind: CrossValidation.Kind, _ truth: RadioMap.Fingerprint,
        _ scratch: inout AnchorScratch
    ) -> Trial {
        var gaussian: [Int32: [Point]] = [:]
        var ridge: [Int32: Point] = [:]
        let places = places.map { settings in
            let place = model.place(settings, scratch: &scratch)
            if model.plan.asksPlaces, gaussian[place.floor] == nil {
                gaussian[place.floor] = tempers.map { temper in
                    model.gaussianMean(on: place.floor, temper: temper, scratch: &scratch)
                        ?? place.mean.point
                }
                ridge[place.floor] = model.ridge?.point(on: place.floor, scratch: scratch)
            }
            return Place(
                point: place.mean.point,
                gaussian: gaussian[place.floor] ?? tempers.map { _ in place.mean.point },
                ridge: ridge[place.floor] ?? place.mean.point,
                spread: place.mean.candidateSpread, distance: place.leastDistance)
        }
        func elected(_ settings: BlendSettings, _ networks: Double) -> Int32 {
            var settings = settings
            settings.floorNetworks = networks
            return model.electFloor(settings, scratch: &scratch).floor
        }
        let hasNetworks = model.plan.trainsNetworks
        return Trial(
            kind: kind, truth: truth, places: places,
            neighbours: exponents.map { exponent in
                // Where no row is near, the exponent's first place by the anchors is used instead.
                model.neighbourMean(exponent, scratch: &scratch)
                    ?? places[exponent * weights.count].point
            },
            floors: floors.map { elected($0, 0) },
            networkFloors: hasNetworks ? floors.map { elected($0, 1) } : [],
            hasNetworks: hasNetworks)
    }

    private func mean(_ trials: [Trial], _ value: (Trial) -> Double) -> Double {
        Self.mean(trials, of: \.kind, value)
    }

    /// The mean of the means of each kind of scan, so that each kind counts the same.
    private static func mean<Result>(
        _ trials: [Result], of kindOf: (Result) -> CrossValidation.Kind,
        _ value: (Result) -> Double
    ) -> Double {
        var (sum, kinds) = (0.0, 0.0)
        for kind in CrossValidation.Kind.allCases {
            let own = trials.filter { kindOf($0) == kind }
            guard !own.isEmpty else { continue }
            sum += own.reduce(0) { $0 + value($1) } / Double(own.count)
            kinds += 1
        }
        return kinds > 0 ? sum / kinds : 0
    }

    /// The best choice; the first of equals. Nil when nothing could be tried. Copies of surveys
    /// alone are no trials, and a small map without a mixture has nothing to choose.
    func best() -> BlendChoice? {
        guard trials.contains(where: { $0.kind != .sameSurvey }),
            !isSmall || !tried.isBlendAlone
        else { return nil }
        let (settings, place, temper) = isSmall ? fallback : chosenSettings()
        let floor = floorIndex(settings)
        func blend(_ trial: Trial) -> Point {
            let own = trial.places[place]
            return settings.mixed(
                anchors: own.point, neighbours: trial.neighbours[settings.neighbourExponent],
                gaussian: own.gaussian[temper], ridge: own.ridge)
        }
        let blends = trials.map { (floor: $0.floors[floor], point: blend($0)) }
        var trials = trials
        for index in trials.indices {
            trials[index].parts = trials[index].parts?.trilaterated(from: blends[index])
        }
        let shares = Self.fittedShares(trials, blends, place, temper: tried.temper)
        let mixed = zip(trials, blends).map { trial, blend in
            trial.parts?.mixed(blend, shares, distance: trial.places[place].distance) ?? blend
        }
        let results = zip(trials, mixed).map { trial, mixed in
            (
                trial: trial, error: mixed.point.distance(to: trial.truth.point),
                isRightFloor: mixed.floor == trial.truth.floor
            )
        }
        let outcomes = results.filter { $0.trial.kind != .sameSurvey }.map { result in
            let own = result.trial.places[place]
            let neighbours = result.trial.neighbours[settings.neighbourExponent]
            return RadiusModel.Outcome(
                error: result.error,
                evidence: RadiusModel.Evidence(
                    spread: own.spread, distance: own.distance,
                    disagreement: own.point.distance(to: neighbours)),
                isNewPlace: result.trial.kind == .newPlace)
        }
        let misfits = Dictionary(grouping: trials, by: \.fold).values.map { fold in
            fold.filter { $0.kind != .sameSurvey }.compactMap { trial in
                trial.knownShare.map {
                    Familiarity.misfit(distance: trial.places[place].distance, knownShare: $0)
                }
            }
        }
        return BlendChoice(
            settings: settings,
            radii: RadiusModel(
                outcomes, knownPlacesUntried: hasCopies, isDisturbed: !plan.isOfManyScanners),
            farthestMisfit: Familiarity.limit(misfits),
            shares: shares, cost: Self.mean(results, of: \.trial.kind) { $0.error },
            floorHit: Self.mean(results, of: \.trial.kind) { $0.isRightFloor ? 1 : 0 })
    }

    private typealias Settings = (settings: BlendSettings, place: Int, temper: Int)

    /// The settings of a small map, with their indices: the fallback's, and neighbours.
    private var fallback: Settings {
        var settings = BlendChoice.fallback.settings
        let place = Self.places.firstIndex(of: settings)!
        settings.neighbourShare = Self.smallMapNeighbourShare
        return (settings, place, Self.tempers.firstIndex(of: settings.gaussianTemper)!)
    }

    private func chosenSettings() -> Settings {
        let costs = Self.places.indices.map { index -> Double in
            guard isChoosable(Self.places[index]) else { return .infinity }
            return mean(withoutCopies) { $0.places[index].point.distance(to: $0.truth.point) }
        }
        let place = Self.cheapest(costs)
        let neighbourCosts = Self.exponents.map { exponent in
            mean(trials) { $0.neighbours[exponent].distance(to: $0.truth.point) }
        }
        var settings = Self.places[place]
        settings.offset = plan.isOfManyScanners ? .none : correction
        settings.neighbourExponent = Self.cheapest(neighbourCosts)
        let temper = chooseTemper(place)
        settings.gaussianTemper = Self.tempers[temper]
        share(&settings, place, temper)
        chooseFloor(&settings)
        return (settings, place, temper)
    }

    /// The weights of the mixture's parts, fitted to scans of places that were left out.
    private static func fittedShares(
        _ trials: [Trial], _ blends: [(floor: Int32, point: Point)], _ place: Int, temper: Double
    ) -> MixtureShares {
        let trials = zip(trials, blends).filter { $0.0.kind == .newPlace }.compactMap {
            trial, blend in
            trial.parts?.trial(
                blend, distance: trial.places[place].distance, truth: trial.truth.point)
        }
        return MixtureShares(fitting: trials, temper: temper)
    }

    /// The index of the first smallest cost; a cost that is not a number is never chosen.
    private static func cheapest(_ costs: [Double]) -> Int {
        var best = 0
        for index in costs.indices where costs[index] < costs[best] || costs[best].isNaN {
            best = index
        }
        return best
    }

    private var withoutCopies: [Trial] {
        hasCopies ? trials.filter { $0.kind == .newPlace } : trials
    }

    /// Whether the map's own scans can compare this setting fairly.
    ///
    /// The session of one scanner does not show how far to trust likelihoods. Where places were
    /// surveyed more than once, it also asks for too much smoothing. Where they were not, every
    /// visitor stands at a new place, as the test scans do.
    private func isChoosable(_ settings: BlendSettings) -> Bool {
        plan.isOfManyScanners || settings.likelihood == 0 && (hasCopies || settings.isSharp)
    }

    /// Returns an index into `tempers`.
    private func chooseTemper(_ place: Int) -> Int {
        let costs = Self.tempers.indices.map { temper in
            mean(withoutCopies) { $0.places[place].gaussian[temper].distance(to: $0.truth.point) }
        }
        return Self.cheapest(costs)
    }

    /// Sets the weights of the other views in the place.
    private func share(_ settings: inout BlendSettings, _ place: Int, _ temper: Int) {
        let new = trials.filter { $0.kind == .newPlace }
        func cost(_ point: (Trial) -> Point) -> Double {
            mean(new.isEmpty ? trials : new) { point($0).distance(to: $0.truth.point) }
        }
        let neighbourExponent = settings.neighbourExponent
        let anchors = cost { $0.places[place].point }
        let neighbours = cost { $0.neighbours[neighbourExponent] }
        let gaussian = cost { $0.places[place].gaussian[temper] }
        let ridge = cost { $0.places[place].ridge }
        func share(_ own: Double) -> Double {
            let ratio = own / max(min(anchors, neighbours), 1e-9)
            let part = (Self.noRatio - ratio) / (Self.noRatio - Self.fullRatio)
            return Self.otherShare * min(max(part, 0), 1)
        }
        settings.neighbourShare = share(neighbours)
        settings.gaussianShare = plan.asksPlaces ? share(gaussian) : 0
        settings.ridgeShare = plan.asksPlaces ? share(ridge) : 0
        let total =
            Self.anchorShare + settings.neighbourShare + settings.gaussianShare
            + settings.ridgeShare
        settings.neighbourShare /= total
        settings.gaussianShare /= total
        settings.ridgeShare /= total
    }

    private func chooseFloor(_ settings: inout BlendSettings) {
        func hits(_ index: Int) -> Double {
            guard plan.isOfManyScanners || Self.floors[index].floorLikelihood == 0 else {
                return -1
            }
            return mean(trials) { $0.floors[index] == $0.truth.floor ? 1 : 0 }
        }
        let all = Self.floors.indices.map(hits)
        let best = Self.cheapest(all.map { -$0 })
        settings.floorExponent = Self.floors[best].floorExponent
        settings.floorLikelihood = Self.floors[best].floorLikelihood
        let tried = trials.filter(\.hasNetworks)
        let without = mean(tried) { $0.floors[best] == $0.truth.floor ? 1 : 0 }
        let with = mean(tried) { $0.networkFloors[best] == $0.truth.floor ? 1 : 0 }
        settings.floorNetworks =
            !tried.isEmpty && with >= without - Self.networkTolerance ? 1 : 0
    }

    private func floorIndex(_ settings: BlendSettings) -> Int {
        Self.floors.firstIndex {
            $0.floorExponent == settings.floorExponent
                && $0.floorLikelihood == settings.floorLikelihood
        }!
    }
}
