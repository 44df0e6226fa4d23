import Events
import Site

/// A blend over one radio map.
struct PreparedBlend: PreparedSnapshot {
    private let map: RadioMap
    private let transmitters: TransmitterNumbers
    private var model: AnchorModel
    private let choice: BlendChoice
    /// Nil where no scan is strange.
    private let familiarity: Familiarity?
    private let gaps: SurveyGaps
    /// The building of each of the map's floors; nil for a floor that is not in the site.
    private let buildings: [BuildingID?]
    let judge: SnapshotJudge

    init(map: RadioMap, site: SiteIndex, choice: BlendChoice) {
        self.map = map
        self.choice = choice
        transmitters = TransmitterNumbers(map)
        familiarity =
            choice.farthestMisfit < Familiarity.noLimit
            ? Familiarity(map.transmitters, rules: site.document.accessPoints) : nil
        model = AnchorModel(
            map, of: map.fingerprints.indices.map { Int32($0) },
            plan: AnchorModel.Plan(serving: map, choice.settings))
        gaps = SurveyGaps(map, site: site)
        buildings = map.floors.map { site.floor($0)?.building }
        judge = SnapshotJudge(
            map: map, site: site,
            radii: RadiusCalibration(
                factor68: choice.radii.factor68, factor95: choice.radii.factor95))
    }

    /// A copy with a planted fault, for tests.
    var dividingByNothing: PreparedBlend {
        var planted = self
        planted.model.dividesByNothing = true
        return planted
    }

    func guess(_ scan: RadioScan, scratch: inout AnchorScratch) -> SnapshotGuess? {
        transmitters.number(scan.readings, into: &scratch.numberedReadings)
        let known = model.compare(
            scratch.numberedReadings, for: choice.settings, scratch: &scratch)
        guard known > 0, !scratch.touchedAnchors.isEmpty else {
            scratch.candidates.removeAll(keepingCapacity: true)
            return nil
        }
        let place = model.blend(choice.settings, scratch: &scratch)
        scratch.leastDistance = place.evidence.distance
        // The anchors hardly ever err in the building, even where they err in the floor.
        let building = buildings[Int(place.floor)]
        let floor = model.electFloor(
            choice.settings, among: { buildings[$0] == building }, scratch: &scratch)
        var mean = place.mean
        if floor.floor != place.floor,
            scratch.candidates.contains(where: { $0.floor == floor.floor })
        {
            // The rooms must be those of the reported floor.
            mean.roomVotes = CandidateMean(scratch.candidates, on: floor.floor).roomVotes
        }
        model.applyElection(scratch: &scratch)
        var guess = SnapshotGuess(
            floor: floor.floor, floorShare: floor.share, mean: mean,
            scale: choice.radii.scale(place.evidence), overlap: known)
        guess.strangeness = strangeness(
            of: scan, distance: place.evidence.distance, on: Int(floor.floor))
        return guess
    }

    /// - Parameters:
    ///   - distance: the smallest distance to an anchor.
    ///   - floor: an index into the map's floors.
    private func strangeness(of scan: RadioScan, distance: Double, on floor: Int) -> Strangeness {
        guard let familiarity else { return Strangeness() }
        let knownShare = familiarity.knownShare(of: scan.readings) {
            ($0.transmitter, transmitters[$0.transmitter] != nil, Double($0.rssi))
        }
        let misfit = Familiarity.misfit(distance: distance, knownShare: knownShare ?? 1)
        let found = Strangeness(
            misfit: misfit, limit: choice.farthestMisfit, gaps: gaps, floor: floor)
        guard knownShare == nil else { return found }
        // The scan lacks a kind of transmitters, so it fits badly anywhere. That makes it doubtful
        // at most, and only where there are gaps. A track counts on it, since all its scans do.
        return Strangeness(
            isDoubtful: found.leastRadius95 > 0, leastRadius95: found.leastRadius95,
            leastFloorShare: found.leastFloorShare)
    }
}
