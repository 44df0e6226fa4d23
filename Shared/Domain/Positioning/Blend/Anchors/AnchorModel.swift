import Geometry
import Glibc

/// All models that a blend evaluates, for a radio map or a part of it.
struct AnchorModel: Sendable {
    /// The models that are built for a map.
    struct Plan: Hashable, Sendable {
        /// Whether enough scanners surveyed to compare them. Then their offsets are removed, and
        /// their surveys show how much readings vary.
        var isOfManyScanners: Bool
        /// Whether likelihoods are used. Without them no offset is found, and all anchors are
        /// equally likely.
        var asksLikelihood: Bool
        var trainsNetworks: Bool
        /// Whether `GaussianLikelihood` and `KernelRidge` are used too. They only help where there
        /// are few places.
        var asksPlaces: Bool

        static let mostPlaces = 1_500

        /// All models that may be useful for a map, to try them.
        init(trying map: RadioMap) {
            isOfManyScanners = map.scannersOfSeveralWalks.count >= CrossValidation.fewestScanners
            trainsNetworks = map.floors.count > 1
            asksPlaces = !isOfManyScanners && map.places.count <= Self.mostPlaces
            asksLikelihood = isOfManyScanners || asksPlaces
        }

        /// The models that the settings need.
        init(serving map: RadioMap, _ settings: BlendSettings) {
            self.init(trying: map)
            asksLikelihood =
                isOfManyScanners || settings.likelihood > 0 || settings.floorLikelihood > 0
                || settings.offset.trust > 0
            trainsNetworks = trainsNetworks && settings.floorNetworks > 0
            asksPlaces = settings.gaussianShare > 0 || settings.ridgeShare > 0
        }

        func correction(_ settings: BlendSettings) -> OffsetCorrection {
            isOfManyScanners ? .full : settings.offset
        }
    }

    let anchors: Anchors
    let plan: Plan
    let floors: Int
    /// The places of `GaussianLikelihood`; nil where the plan does without.
    let gaussian: GaussianIndex?
    private let distances: AnchorDistances
    private let likelihood: AnchorLikelihood?
    private let networks: [FloorNetwork]
    let ridge: KernelRidge?
    /// The point and floor of each row of the anchors.
    let rowPoints: [Point]
    let rowFloors: [Int32]
    /// A planted fault: tests set it to see that the fuzzer notices.
    var dividesByNothing = false

    /// - Parameter fingerprints: indices of the map's fingerprints to use, ascending.
    init(_ map: RadioMap, of fingerprints: [Int32], plan: Plan) {
        let surveys = SurveyReadings(
            map, of: fingerprints,
            offsets: plan.isOfManyScanners ? ScannerOffsets(map, of: fingerprints) : nil)
        let anchors = Anchors(map, of: fingerprints)
        self.anchors = anchors
        self.plan = plan
        floors = map.floors.count
        distances = AnchorDistances(surveys, anchors)
        likelihood = plan.asksLikelihood ? AnchorLikelihood(surveys, anchors) : nil
        networks =
            plan.trainsNetworks
            ? FloorNetwork.Style.both.enumerated().map { number, style in
                FloorNetwork(surveys, style: style, seed: UInt64(number))
            } : []
        if plan.asksPlaces {
            let used = Set(fingerprints)
            gaussian = GaussianIndex(map) { !used.contains(Int32($0)) }
            ridge = KernelRidge(surveys, anchors, distances)
        } else {
            gaussian = nil
            ridge = nil
        }
        rowPoints = anchors.rows.map { map.fingerprints[Int($0)].point }
        rowFloors = anchors.rows.map { map.fingerprints[Int($0)].floor }
    }

    /// Compares a scan with the anchors and leaves the results in the scratch. Readings of
    /// transmitters that no fingerprint received are left out.
    ///
    /// - Parameters:
    ///   - correction: how the telephone's apparent offset is corrected.
    ///   - lanes: the exponents for which the nearest rows are found too.
    /// - Returns: the number of readings whose transmitter is in the map.
    func compare(
        _ readings: [NumberedReading], correction: OffsetCorrection, lanes: Range<Int>,
        scratch: inout AnchorScratch
    ) -> Int {
        correct(readings, correction, &scratch)
        distances.find(
            scratch.correctedReadings, lanes: lanes, keepsRows: ridge != nil, scratch: &scratch)
        askNetworks(&scratch)
        return scratch.knownReadings.count
    }

    /// Compares a scan with only the anchors that matter to `blend` and `electFloor` with these
    /// settings. The result is the same as if all anchors were compared.
    ///
    /// - Returns: the number of readings whose transmitter is in the map.
    func compare(
        _ readings: [NumberedReading], for settings: BlendSettings,
        scratch: inout AnchorScratch
    ) -> Int {
        let lanes = settings.neighbourExponent..<settings.neighbourExponent + 1
        let correction = plan.correction(settings)
        guard ridge == nil else {
            return compare(readings, correction: correction, lanes: lanes, scratch: &scratch)
        }
        correct(readings, correction, &scratch)
        distances.begin(scratch.correctedReadings, lanes: lanes, scratch: &scratch)
        choosePromising(settings, &scratch)
        distances.findChosen(lanes: lanes, scratch: &scratch)
        chooseOthers(settings, &scratch)
        distances.findChosen(lanes: lanes, scratch: &scratch)
        askNetworks(&scratch)
        return scratch.knownReadings.count
    }

    /// Finds the anchors that share a transmitter with the scan, their likelihoods, and the
    /// readings with the telephone's offset removed.
    private func correct(
        _ readings: [NumberedReading], _ correction: OffsetCorrection,
        _ scratch: inout AnchorScratch
    ) {
        touch(readings, &scratch)
        var offset: Float = 0
        if let likelihood {
            likelihood.find(scratch.knownReadings, scratch: &scratch)
            if correction.trust > 0 {
                offset = correction.offset(seen: likelihood.offset(scratch: scratch))
            }
        } else {
            for anchor in scratch.touchedAnchors { scratch.anchorLikelihoods[Int(anchor)] = 0 }
        }
        scratch.correctedReadings.removeAll(keepingCapacity: true)
        for reading in scratch.knownReadings {
            scratch.correctedReadings.append(
                NumberedReading(
                    transmitter: reading.transmitter, rssi: min(reading.rssi - offset, -1)))
        }
    }

    /// The offset by which the scan seems stronger than the surveys, in dB. Nil where no reading is
    /// of the map, or without likelihoods.
    func seenOffset(of readings: [NumberedReading], scratch: inout AnchorScratch) -> Float? {
        guard let likelihood else { return nil }
        touch(readings, &scratch)
        guard !scratch.touchedAnchors.isEmpty else { return nil }
        likelihood.find(scratch.knownReadings, scratch: &scratch)
        return likelihood.offset(scratch: scratch)
    }

    /// Puts the readings of the map's transmitters, and the anchors that share one, into the
    /// scratch.
    private func touch(_ readings: [NumberedReading], _ scratch: inout AnchorScratch) {
        scratch.knownReadings.removeAll(keepingCapacity: true)
        for reading in readings where distances.knows(reading.transmitter) {
            scratch.knownReadings.append(reading)
        }
        distances.touch(scratch.knownReadings, scratch: &scratch)
    }

    private func askNetworks(_ scratch: inout AnchorScratch) {
        scratch.networkLogarithms.removeAll(keepingCapacity: true)
        for network in networks {
            network.logarithms(scratch.correctedReadings, into: &scratch.floorLogarithms)
            if scratch.networkLogarithms.isEmpty {
                scratch.networkLogarithms += scratch.floorLogarithms
            } else {
                for floor in 0..<floors {
                    scratch.networkLogarithms[floor] += scratch.floorLogarithms[floor]
                }
            }
        }
        for floor in scratch.networkLogarithms.indices {
            scratch.networkLogarithms[floor] /= Float(networks.count)
        }
    }
}
