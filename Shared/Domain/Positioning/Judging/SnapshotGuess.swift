import Geometry

/// What one scan says before it is known how far that can be trusted: the floor that the candidates
/// elect, and their mean on it.
struct SnapshotGuess {
    /// Into the map's floors.
    let floor: Int32
    /// The floor's share of the candidates' weight.
    let floorShare: Double
    let mean: CandidateMean
    /// What the factors of the radii are multiplied by; metres.
    let scale: Double
    /// How many transmitters speak for it.
    let overlap: Int

    /// Of `scratch.candidates`; nil without any. The floor is the one with the most weight;
    /// of two equal ones that of the earlier candidate.
    init?(_ scratch: inout PositionerScratch, floors: Int, overlap: Int) {
        guard !scratch.candidates.isEmpty else { return nil }
        if scratch.floorWeights.count != floors {
            scratch.floorWeights = [Double](repeating: 0, count: floors)
        }
        var total = 0.0
        for candidate in scratch.candidates {
            scratch.floorWeights[Int(candidate.floor)] += candidate.weight
            total += candidate.weight
        }
        var best: (floor: Int32, weight: Double) = (0, -1)
        for candidate in scratch.candidates {
            let weight = scratch.floorWeights[Int(candidate.floor)]
            if weight > best.weight { best = (candidate.floor, weight) }
        }
        for index in 0..<floors { scratch.floorWeights[index] = 0 }
        floor = best.floor
        floorShare = best.weight / total
        mean = CandidateMean(scratch.candidates, on: best.floor)
        scale = mean.spread
        self.overlap = overlap
    }

    init(
        floor: Int32, floorShare: Double, mean: CandidateMean, scale: Double, overlap: Int
    ) {
        self.floor = floor
        self.floorShare = floorShare
        self.mean = mean
        self.scale = scale
        self.overlap = overlap
    }

    /// How it compares with the fingerprint whose scan it was made of.
    func outcome(_ truth: RadioMap.Fingerprint) -> LeaveOutTrials.Outcome {
        LeaveOutTrials.Outcome(
            error: mean.point.distance(to: truth.point), spread: mean.spread,
            isRightFloor: floor == truth.floor)
    }
}
