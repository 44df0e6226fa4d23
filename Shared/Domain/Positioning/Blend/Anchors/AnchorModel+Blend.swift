import Geometry
import Glibc

/// The place of a scan by the anchors alone.
struct AnchorPlace {
    /// The mean of the candidates on the floor with the most weight.
    var mean: CandidateMean
    /// That floor, as an index into the map's floors.
    var floor: Int32
    /// The smallest distance to an anchor.
    var leastDistance: Double
}

/// The floor that is reported. It has an election of its own, because other settings separate
/// floors than separate places.
struct ElectedFloor {
    /// An index into the map's floors.
    var floor: Int32
    var share: Double
}

/// The place of a scan as the weighted mean of all views.
struct BlendedPlace {
    /// The mean of the anchors, with its point moved to the mean of all views.
    var mean: CandidateMean
    /// The floor of the anchors, as an index into the map's floors.
    var floor: Int32
    var evidence: RadiusModel.Evidence
}

extension AnchorModel {
    /// Anchors whose logarithm is lower than the best one's by more than this are no candidates.
    static let leastLogarithm = -14.0
    /// The smallest number of which a logarithm is computed, which keeps it finite.
    private static let smallest = 1e-300

    /// The place of a scan; call it after `compare`. That call must have touched an anchor and
    /// found the nearest rows of the exponents. It leaves the anchors with their weights in
    /// `scratch.candidates`.
    func blend(_ settings: BlendSettings, scratch: inout AnchorScratch) -> BlendedPlace {
        let place = place(settings, scratch: &scratch)
        let neighbours =
            neighbourMean(settings.neighbourExponent, scratch: &scratch) ?? place.mean.point
        var mean = place.mean
        var gaussian = place.mean.point
        if settings.gaussianShare > 0 {
            gaussian =
                gaussianMean(
                    on: place.floor, temper: settings.gaussianTemper, scratch: &scratch) ?? gaussian
        }
        var smooth = place.mean.point
        if settings.ridgeShare > 0 {
            smooth = ridge?.point(on: place.floor, scratch: scratch) ?? smooth
        }
        mean.point = settings.mixed(
            anchors: place.mean.point, neighbours: neighbours, gaussian: gaussian, ridge: smooth)
        return BlendedPlace(
            mean: mean, floor: place.floor,
            evidence: RadiusModel.Evidence(
                spread: place.mean.candidateSpread, distance: place.leastDistance,
                disagreement: place.mean.point.distance(to: neighbours)))
    }

    /// The place by the anchors alone; call it after `compare`.
    func place(_ settings: BlendSettings, scratch: inout AnchorScratch) -> AnchorPlace {
        let leastDistance = findCandidates(settings, &scratch)
        scratch.fit(floors: floors)
        for candidate in scratch.candidates {
            scratch.floorWeights[Int(candidate.floor)] += candidate.weight
        }
        let floor = Int32(largest(scratch.floorWeights))
        return AnchorPlace(
            mean: CandidateMean(scratch.candidates, on: floor), floor: floor,
            leastDistance: leastDistance)
    }

    /// The mean of the nearest fingerprints on the floor that they elect, each weighted by 1 /
    /// distance. Call it after `compare` with this exponent.
    ///
    /// Nil when no fingerprint is nearer than those that share nothing with the scan. That happens
    /// where both received the same transmitter so weakly that it hardly counts.
    func neighbourMean(_ exponent: Int, scratch: inout AnchorScratch) -> Point? {
        scratch.fit(floors: floors)
        let rows = scratch.nearestRows[exponent].rows
        func weight(_ distance: Float) -> Double {
            1 / max(Double(distance), NearestNeighbours.smallestDistance)
        }
        for (row, distance) in rows {
            scratch.floorWeights[Int(rowFloors[Int(row)])] += weight(distance)
        }
        let floor = Int32(largest(scratch.floorWeights))
        var (x, y, total) = (0.0, 0.0, 0.0)
        for (row, distance) in rows where rowFloors[Int(row)] == floor {
            let own = weight(distance)
            x += own * rowPoints[Int(row)].x
            y += own * rowPoints[Int(row)].y
            total += own
        }
        guard total > 0 || dividesByNothing else { return nil }
        return Point(x: x / total, y: y / total)
    }

    /// The mean of `GaussianLikelihood`'s posterior on one floor. Nil where no place of the floor
    /// received any transmitter of the scan.
    func gaussianMean(
        on floor: Int32, temper: Double, scratch: inout AnchorScratch
    ) -> Point? {
        guard let gaussian else { return nil }
        let count = gaussian.findLikelihoods(
            scratch.correctedReadings, scratch: &scratch.gaussian)
        defer { gaussian.forget(count, scratch: &scratch.gaussian) }
        var best = -Float.infinity
        for position in 0..<count {
            let number = Int(scratch.gaussian.touched[position])
            guard gaussian.places[number]?.floor == floor else { continue }
            best = max(best, scratch.gaussian.scores[number])
        }
        var (x, y, total) = (0.0, 0.0, 0.0)
        for position in 0..<count {
            let number = Int(scratch.gaussian.touched[position])
            guard let place = gaussian.places[number], place.floor == floor else { continue }
            let own = exp(temper * Double(scratch.gaussian.scores[number] - best))
            x += own * place.point.x
            y += own * place.point.y
            total += own
        }
        return total > 0 ? Point(x: x / total, y: y / total) : nil
    }

    /// Elects the floor; call it after `compare`. Each floor's share is left in
    /// `scratch.floorShares`.
    ///
    /// - Parameter isCandidate: the floors that can be elected. One of them must have a touched
    ///   anchor.
    func electFloor(
        _ settings: BlendSettings, among isCandidate: (Int) -> Bool = { _ in true },
        scratch: inout AnchorScratch
    ) -> ElectedFloor {
        electFloors(settings, isCandidate, &scratch)
        let floor = largest(scratch.floorShares)
        return ElectedFloor(floor: Int32(floor), share: scratch.floorShares[floor])
    }

    /// Scales the candidates so that those of each floor have the weight which the floor got in its
    /// election. Call it after `place` and `electFloor`.
    func applyElection(scratch: inout AnchorScratch) {
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

    /// Fills the candidates with unscaled weights, and returns the smallest distance.
    private func findCandidates(
        _ settings: BlendSettings, _ scratch: inout AnchorScratch
    ) -> Double {
        scratch.logits.removeAll(keepingCapacity: true)
        var best = -Double.infinity
        var least = Float(1)
        for anchor in scratch.comparedAnchors {
            least = min(least, scratch.anchorDistances[Int(anchor)][settings.exponent])
            let logit = logit(of: anchor, scratch.anchorDistances, settings, scratch)
            scratch.logits.append(logit)
            best = max(best, logit)
        }
        scratch.candidates.removeAll(keepingCapacity: true)
        for (anchor, logit) in zip(scratch.comparedAnchors, scratch.logits)
        where logit - best > Self.leastLogarithm {
            let number = Int(anchor)
            scratch.candidates.append(
                Candidate(
                    point: anchors.points[number], floor: anchors.floors[number],
                    room: anchors.rooms[number], weight: exp(logit - best)))
        }
        return Double(least)
    }

    /// The logarithm of an anchor's weight at one of these distances, up to a constant.
    @inline(__always)
    func logit(
        of anchor: Int32, _ distances: [AnchorDistances.Lanes], _ settings: BlendSettings,
        _ scratch: AnchorScratch
    ) -> Double {
        settings.likelihood * Double(scratch.anchorLikelihoods[Int(anchor)])
            - Double(distances[Int(anchor)][settings.exponent]) / settings.temperature
    }

    /// Fills `scratch.floorShares`. A floor's share is the sum over its near anchors of
    /// exp(-distance / temperature), times the sum of their likelihoods and the networks' result.
    /// Likelihoods and networks are raised to the power of their weights.
    private func electFloors(
        _ settings: BlendSettings, _ isCandidate: (Int) -> Bool,
        _ scratch: inout AnchorScratch
    ) {
        scratch.fit(floors: floors)
        var least = Float(1)
        for anchor in scratch.comparedAnchors {
            least = min(least, scratch.anchorDistances[Int(anchor)][settings.floorExponent])
        }
        for anchor in scratch.comparedAnchors {
            let distance = scratch.anchorDistances[Int(anchor)][settings.floorExponent] - least
            guard distance <= BlendSettings.floorReach else { continue }
            scratch.floorShares[Int(anchors.floors[Int(anchor)])] +=
                exp(-Double(distance) / BlendSettings.floorTemperature)
        }
        for floor in 0..<floors where !isCandidate(floor) { scratch.floorShares[floor] = 0 }
        if scratch.floorShares.allSatisfy({ $0 == 0 }) {
            // All candidates of these floors are too far to vote, and probably all equally far.
            for candidate in scratch.candidates where isCandidate(Int(candidate.floor)) {
                scratch.floorShares[Int(candidate.floor)] += candidate.weight
            }
        }
        if settings.floorLikelihood > 0 { sumLikelihoods(&scratch) }
        var mostLogarithm = -Double.infinity
        for floor in 0..<floors where scratch.floorShares[floor] > 0 {
            var logarithm = log(scratch.floorShares[floor])
            if settings.floorLikelihood > 0 {
                logarithm +=
                    settings.floorLikelihood
                    * log(max(scratch.floorWeights[floor], Self.smallest))
            }
            if settings.floorNetworks > 0, !scratch.networkLogarithms.isEmpty {
                logarithm += settings.floorNetworks * Double(scratch.networkLogarithms[floor])
            }
            scratch.floorWeights[floor] = logarithm
            mostLogarithm = max(mostLogarithm, logarithm)
        }
        var total = 0.0
        for floor in 0..<floors where scratch.floorShares[floor] > 0 {
            scratch.floorShares[floor] = exp(scratch.floorWeights[floor] - mostLogarithm)
            total += scratch.floorShares[floor]
        }
        for floor in 0..<floors { scratch.floorShares[floor] /= total }
    }

    /// Adds the likelihoods of the anchors of each floor to `scratch.floorWeights`.
    private func sumLikelihoods(_ scratch: inout AnchorScratch) {
        var best = -Float.infinity
        for anchor in scratch.touchedAnchors {
            best = max(best, scratch.anchorLikelihoods[Int(anchor)])
        }
        for anchor in scratch.touchedAnchors {
            scratch.floorWeights[Int(anchors.floors[Int(anchor)])] +=
                exp(Double(scratch.anchorLikelihoods[Int(anchor)] - best))
        }
    }
}

extension BlendSettings {
    func mixed(anchors: Point, neighbours: Point, gaussian: Point, ridge: Point) -> Point {
        let rest = 1 - neighbourShare - gaussianShare - ridgeShare
        let parts = [
            (rest, anchors), (neighbourShare, neighbours), (gaussianShare, gaussian),
            (ridgeShare, ridge),
        ]
        return Point(
            x: parts.reduce(0) { $0 + $1.0 * $1.1.x }, y: parts.reduce(0) { $0 + $1.0 * $1.1.y })
    }
}
