import Geometry

/// The result of one scan before its certainty is judged: the floor that the candidates elect, and
/// their mean on it.
struct SnapshotGuess {
    /// An index into the map's floors.
    let floor: Int32
    /// The floor's share of the candidates' weight.
    let floorShare: Double
    let mean: CandidateMean
    /// Metres; the radii are this scale times factors of the map.
    let scale: Double
    /// The number of the scan's transmitters that are in the map.
    let overlap: Int
    /// Whether the scan may have been made where nobody surveyed.
    var strangeness = Strangeness()
    /// Whether each scan has noise of its own, and its candidates are all that is known. So it is
    /// with beacons, which a telephone receives for each scan anew.
    var isFresh = false

    /// Whether the building has floors without surveys, and too few votes are for this floor.
    var isDivided: Bool { floorShare < strangeness.leastFloorShare }
    /// Whether a track may not count on the scan (`Strangeness.isUnfitting`).
    var isUnfitting: Bool { strangeness.isUnfitting || isDivided }

    /// Elects the floor with the most weight. If two floors are equal, it picks that of the earlier
    /// candidate. Nil without candidates.
    ///
    /// - Parameter floorWeights: memory to reuse, one for each floor; all 0 between calls.
    init?(
        _ candidates: [Candidate], _ floorWeights: inout [Double], floors: Int, overlap: Int
    ) {
        guard !candidates.isEmpty else { return nil }
        if floorWeights.count != floors {
            floorWeights = [Double](repeating: 0, count: floors)
        }
        var total = 0.0
        for candidate in candidates {
            floorWeights[Int(candidate.floor)] += candidate.weight
            total += candidate.weight
        }
        var best: (floor: Int32, weight: Double) = (0, -1)
        for candidate in candidates {
            let weight = floorWeights[Int(candidate.floor)]
            if weight > best.weight { best = (candidate.floor, weight) }
        }
        for index in 0..<floors { floorWeights[index] = 0 }
        floor = best.floor
        floorShare = best.weight / total
        mean = CandidateMean(candidates, on: best.floor)
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

    /// Compares the guess with the fingerprint whose scan was located.
    func outcome(_ truth: RadioMap.Fingerprint) -> LeaveOutTrials.Outcome {
        LeaveOutTrials.Outcome(
            error: mean.point.distance(to: truth.point), spread: mean.spread,
            isRightFloor: floor == truth.floor)
    }
}
