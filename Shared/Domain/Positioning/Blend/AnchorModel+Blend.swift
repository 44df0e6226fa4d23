import Geometry
import Glibc

/// Where a blend says that a scan was made.
struct BlendPlace {
    /// Of the anchors on the floor that they elect together.
    var mean: CandidateMean
    /// Into the map's floors: that floor.
    var floor: Int32
    /// The smallest distance to an anchor.
    var leastDistance: Double
}

/// The floor that is reported. It is elected by itself, because what tells floors apart is not what
/// tells places apart.
struct BlendFloor {
    /// Into the map's floors.
    var floor: Int32
    var share: Double
}

extension AnchorModel {
    /// Anchors whose logarithm lies lower than the best one's by this are no candidates.
    private static let leastLogarithm = -14.0
    /// Keeps the logarithm of what is beyond a floating-point number finite.
    private static let smallest = 1e-300

    /// The place after `compare`, which must have touched an anchor. `scratch.candidates` are the
    /// anchors with their weights.
    func place(
        _ settings: BlendSettings, floors: Int, scratch: inout PositionerScratch
    ) -> BlendPlace {
        let leastDistance = findCandidates(settings, &scratch)
        scratch.fit(floors: floors)
        for candidate in scratch.candidates {
            scratch.floorWeights[Int(candidate.floor)] += candidate.weight
        }
        let floor = Int32(largest(scratch.floorWeights))
        return BlendPlace(
            mean: CandidateMean(scratch.candidates, on: floor), floor: floor,
            leastDistance: leastDistance)
    }

    /// The floor after `compare`; each floor's share is left in `scratch.floorShares`.
    func electFloor(
        _ settings: BlendSettings, floors: Int, scratch: inout PositionerScratch
    ) -> BlendFloor {
        electFloors(settings, floors, &scratch)
        let floor = largest(scratch.floorShares)
        return BlendFloor(floor: Int32(floor), share: scratch.floorShares[floor])
    }

    /// After `place` and `electFloor`: scales the candidates so that those of each floor have the
    /// weight which the floor got in its election.
    func applyElection(scratch: inout PositionerScratch) {
        for floor in scratch.floorWeights.indices { scratch.floorWeights[floor] = 0 }
        for candidate in scratch.candidates {
            scratch.floorWeights[Int(candidate.floor)] += candidate.weight
        }
        for index in scratch.candidates.indices {
            let floor = Int(scratch.candidates[index].floor)
            scratch.candidates[index].weight *=
                scratch.floorShares[floor] / scratch.floorWeights[floor]
        }
    }

    private func largest(_ values: [Double]) -> Int {
        values.indices.max { values[$0] < values[$1] }!
    }

    /// Fills the candidates with unscaled weights; the smallest distance.
    private func findCandidates(
        _ settings: BlendSettings, _ scratch: inout PositionerScratch
    ) -> Double {
        scratch.logits.removeAll(keepingCapacity: true)
        var best = -Double.infinity
        var least = Float(1)
        for anchor in scratch.touchedAnchors {
            let distance = scratch.anchorDistances[Int(anchor)][settings.exponent]
            least = min(least, distance)
            let logit =
                settings.likelihood * Double(scratch.anchorLikelihoods[Int(anchor)])
                - Double(distance) / settings.temperature
            scratch.logits.append(logit)
            best = max(best, logit)
        }
        scratch.candidates.removeAll(keepingCapacity: true)
        for (anchor, logit) in zip(scratch.touchedAnchors, scratch.logits)
        where logit - best > Self.leastLogarithm {
            let number = Int(anchor)
            scratch.candidates.append(
                Candidate(
                    point: anchors.points[number], floor: anchors.floors[number],
                    room: anchors.rooms[number], weight: exp(logit - best)))
        }
        return Double(least)
    }

    /// Fills `scratch.floorShares`: each floor's share of the sum over its anchors of
    /// exp(-distance / temperature), times the sum of their likelihoods to the power of its weight.
    private func electFloors(
        _ settings: BlendSettings, _ floors: Int, _ scratch: inout PositionerScratch
    ) {
        scratch.fit(floors: floors)
        var least = Float(1)
        var best = -Float.infinity
        for anchor in scratch.touchedAnchors {
            least = min(least, scratch.anchorDistances[Int(anchor)][settings.floorExponent])
            best = max(best, scratch.anchorLikelihoods[Int(anchor)])
        }
        for anchor in scratch.touchedAnchors {
            let number = Int(anchor)
            let floor = Int(anchors.floors[number])
            let distance = scratch.anchorDistances[number][settings.floorExponent] - least
            scratch.floorShares[floor] += exp(-Double(distance) / BlendSettings.floorTemperature)
            scratch.floorWeights[floor] += exp(Double(scratch.anchorLikelihoods[number] - best))
        }
        var total = 0.0
        for floor in 0..<floors where scratch.floorShares[floor] > 0 {
            let likelihood = max(scratch.floorWeights[floor], Self.smallest)
            scratch.floorShares[floor] *= pow(likelihood, settings.floorLikelihood)
            total += scratch.floorShares[floor]
        }
        for floor in 0..<floors { scratch.floorShares[floor] /= total }
    }
}
