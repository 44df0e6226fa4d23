/// Which anchors are compared with a scan fingerprint by fingerprint: most are too far for that to
/// matter, which a bound of their distance tells at a tenth of the price.
extension AnchorModel {
    /// So many are compared first; what they come to is what the others must reach.
    private static let promising = 8
    /// Of anchors that are compared already; farther than any limit.
    private static let noLonger = AnchorDistances.Lanes(repeating: 4)

    /// After the bounds: puts the touched anchors that may weigh most into `scratch.chosenAnchors`.
    func choosePromising(_ settings: BlendSettings, _ scratch: inout AnchorScratch) {
        scratch.logits.removeAll(keepingCapacity: true)
        scratch.chosenAnchors.removeAll(keepingCapacity: true)
        var least = -Double.infinity
        for anchor in scratch.touchedAnchors {
            let logit = logit(of: anchor, scratch.anchorBounds, settings, scratch)
            guard logit > least else { continue }
            var position = scratch.logits.count
            if position < Self.promising {
                scratch.logits.append(logit)
                scratch.chosenAnchors.append(anchor)
            } else {
                position -= 1
            }
            while position > 0, scratch.logits[position - 1] < logit {
                scratch.logits[position] = scratch.logits[position - 1]
                scratch.chosenAnchors[position] = scratch.chosenAnchors[position - 1]
                position -= 1
            }
            scratch.logits[position] = logit
            scratch.chosenAnchors[position] = anchor
            if scratch.logits.count == Self.promising {
                least = scratch.logits[Self.promising - 1]
            }
        }
    }

    /// After the promising ones were compared: puts those of the others into
    /// `scratch.chosenAnchors` that may be candidates, be the nearest anchor, have one of the
    /// nearest rows or vote for a floor.
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
