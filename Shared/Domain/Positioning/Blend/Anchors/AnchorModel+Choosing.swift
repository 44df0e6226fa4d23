/// Chooses the anchors that are compared with a scan fingerprint by fingerprint. Most anchors are
/// too far away to matter, which a bound of their distance shows at a tenth of the cost.
extension AnchorModel {
    /// The number of anchors that are compared first. Their results are the threshold for all
    /// others.
    private static let promising = 8
    /// The bound of anchors that were compared already; it is farther than any limit.
    private static let noLonger = AnchorDistances.Lanes(repeating: 4)

    /// Puts the touched anchors that may weigh most into `scratch.chosenAnchors`. Call it after
    /// `begin`.
    func choosePromising(_ settings: BlendSettings, _ scratch: inout AnchorScratch) {
        // Anchors that are not there yet are worse than all that are.
        var logits = InlineArray<8, Double>(repeating: -.infinity)
        var best = InlineArray<8, Int32>(repeating: 0)
        var count = 0
        for anchor in scratch.touchedAnchors {
            let logit = logit(of: anchor, scratch.anchorBounds, settings, scratch)
            guard logit > logits[Self.promising - 1] else { continue }
            var position = Self.promising - 1
            while position > 0, logits[position - 1] < logit {
                logits[position] = logits[position - 1]
                best[position] = best[position - 1]
                position -= 1
            }
            logits[position] = logit
            best[position] = anchor
            count = min(count + 1, Self.promising)
        }
        scratch.chosenAnchors.removeAll(keepingCapacity: true)
        for position in 0..<count { scratch.chosenAnchors.append(best[position]) }
    }

    /// Puts the remaining anchors that can still matter into `scratch.chosenAnchors`. These may
    /// become candidates, be the nearest anchor, have one of the nearest rows or vote for a floor.
    /// Call it after the promising ones were compared.
    func chooseOthers(_ settings: BlendSettings, _ scratch: inout AnchorScratch) {
        var best = -Double.infinity
        var (leastPlace, leastFloor) = (Float(1), Float(1))
        for anchor in scratch.comparedAnchors {
            scratch.anchorBounds[Int(anchor)] = Self.noLonger
            best = max(best, logit(of: anchor, scratch.anchorDistances, settings, scratch))
            let distances = scratch.anchorDistances[Int(anchor)]
            leastPlace = min(leastPlace, distances[settings.exponent])
            leastFloor = min(leastFloor, distances[settings.floorExponent])
        }
        var limits = AnchorDistances.Lanes(repeating: -1)
        func reach(_ distance: Float, by exponent: Int) {
            limits[exponent] = max(limits[exponent], distance)
        }
        reach(leastPlace, by: settings.exponent)
        reach(leastFloor + BlendSettings.floorReach, by: settings.floorExponent)
        let exponent = settings.neighbourExponent
        reach(min(scratch.nearestRows[exponent].limit, 1), by: exponent)
        scratch.chosenAnchors.removeAll(keepingCapacity: true)
        for anchor in scratch.touchedAnchors {
            guard
                any(scratch.anchorBounds[Int(anchor)] .<= limits)
                    || logit(of: anchor, scratch.anchorBounds, settings, scratch) - best
                        > Self.leastLogarithm
            else { continue }
            scratch.chosenAnchors.append(anchor)
        }
    }
}
