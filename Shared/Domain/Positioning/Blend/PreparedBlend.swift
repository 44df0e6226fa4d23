import Site

/// A blend over one radio map.
struct PreparedBlend: PreparedSnapshot {
    private let map: RadioMap
    private let transmitters: TransmitterNumbers
    private let model: AnchorModel
    private let choice: BlendChoice
    let judge: SnapshotJudge

    init(map: RadioMap, site: SiteIndex, choice: BlendChoice) {
        self.map = map
        self.choice = choice
        transmitters = TransmitterNumbers(map)
        model = AnchorModel(map, of: map.fingerprints.indices.map { Int32($0) })
        judge = SnapshotJudge(
            map: map, site: site,
            radii: RadiusCalibration(
                factor68: choice.radii.factor68, factor95: choice.radii.factor95))
    }

    func guess(_ scan: RadioScan, scratch: inout PositionerScratch) -> SnapshotGuess? {
        scratch.numberedReadings.removeAll(keepingCapacity: true)
        for reading in scan.readings {
            if let number = transmitters[reading.transmitter] {
                scratch.numberedReadings.append(
                    NumberedReading(transmitter: number, rssi: Float(reading.rssi)))
            }
        }
        let known = model.compare(scratch.numberedReadings, scratch: &scratch)
        guard known > 0, !scratch.touchedAnchors.isEmpty else {
            scratch.candidates.removeAll(keepingCapacity: true)
            return nil
        }
        let place = model.place(choice.settings, floors: map.floors.count, scratch: &scratch)
        let floor = model.electFloor(choice.settings, floors: map.floors.count, scratch: &scratch)
        var mean = place.mean
        if floor.floor != place.floor,
            scratch.candidates.contains(where: { $0.floor == floor.floor })
        {
            // The rooms are those of the reported floor.
            mean.roomVotes = CandidateMean(scratch.candidates, on: floor.floor).roomVotes
        }
        model.applyElection(scratch: &scratch)
        return SnapshotGuess(
            floor: floor.floor, floorShare: floor.share, mean: mean,
            scale: choice.radii.scale(
                spread: place.mean.candidateSpread, distance: place.leastDistance),
            overlap: known)
    }
}
