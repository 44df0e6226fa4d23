import Site

/// A positioner of single scans, and beside it the site's beacons on floors that they serve
/// (`BeaconEvidence`). Elsewhere it is that positioner alone.
struct BesideBeacons: Positioner {
    let base: any Positioner

    var name: String { base.name }
    var followsChoice: Bool { base.followsChoice }

    func following(_ choice: String?) -> any Positioner {
        BesideBeacons(base: base.following(choice))
    }

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        let stated = StatedFloors(map, site: site)
        let prepared = base.prepare(stated.map, site: site)
        guard let snapshot = prepared as? any PreparedSnapshot,
            let evidence = BeaconEvidence(stated, site: site)
        else { return prepared }
        return PreparedBesideBeacons(stated, site: site, base: snapshot, evidence: evidence)
    }
}

struct BeaconScratch: CandidateMemory {
    var candidates: [Candidate] = []
    /// One weight for each floor.
    var floorWeights: [Double] = []
    var base = PositionerScratch()
}

/// The candidates of a positioner and those of the site's beacons, as one mixture.
struct PreparedBesideBeacons: PreparedSnapshot {
    private let base: any PreparedSnapshot
    private let evidence: BeaconEvidence
    private let floorCount: Int
    private let isByBeacons: [Bool]
    /// The factor for radii by beacons, which no self-test calibrates.
    private let beaconScale: Double
    let judge: SnapshotJudge

    init(
        _ stated: StatedFloors, site: SiteIndex, base: any PreparedSnapshot,
        evidence: BeaconEvidence
    ) {
        self.base = base
        self.evidence = evidence
        floorCount = stated.map.floors.count
        isByBeacons = stated.map.floors.map { stated.byBeacons.contains($0) }
        let radii = base.judge.radii
        beaconScale = RadiusCalibration([]).factor68 / radii.factor68
        judge = SnapshotJudge(map: stated.map, site: site, radii: radii)
    }

    func guess(_ scan: RadioScan, scratch: inout BeaconScratch) -> SnapshotGuess? {
        scratch.candidates.removeAll(keepingCapacity: true)
        let alone = base.guess(scan, &scratch.candidates, scratch: &scratch.base)
        let heard = evidence.heard(scan)
        guard !heard.isEmpty else { return alone }
        let share = alone == nil ? 1 : evidence.share(of: heard)
        let total = scratch.candidates.reduce(0) { $0 + $1.weight }
        // Few surveys are the only places of their floor to the positioner. In a track, such a
        // candidate would gather belief with each scan, wherever the device is.
        scratch.candidates.removeAll { evidence.serves($0) }
        let others = scratch.candidates.isEmpty ? nil : alone
        let factor = total > 0 ? (1 - share) / total : 0
        for index in scratch.candidates.indices { scratch.candidates[index].weight *= factor }
        let own = scratch.candidates
        evidence.add(heard, weight: share, to: &scratch.candidates)
        let mixed = SnapshotGuess(
            scratch.candidates, &scratch.floorWeights, floors: floorCount,
            overlap: heard.count + (others?.overlap ?? 0))
        guard let mixed else { return nil }
        let isSurveyed =
            own.reduce(0) { $0 + ($1.floor == mixed.floor ? $1.weight : 0) } > share
        guard isByBeacons[Int(mixed.floor)], !isSurveyed else {
            // One beacon among transmitters that the map does not know makes no place certain.
            let own = others?.floor == mixed.floor ? others : nil
            var found = SnapshotGuess(
                floor: mixed.floor, floorShare: mixed.floorShare, mean: mixed.mean,
                scale: own?.scale ?? mixed.scale, overlap: mixed.overlap)
            found.strangeness = others?.strangeness ?? Strangeness()
            return found
        }
        var found = SnapshotGuess(
            floor: mixed.floor, floorShare: mixed.floorShare, mean: mixed.mean,
            scale: mixed.scale * beaconScale, overlap: mixed.overlap)
        found.isFresh = true
        return found
    }
}
