/// Whether a scan may have been made where nobody surveyed, by its misfit (`Familiarity`).
struct Strangeness: Hashable, Sendable {
    /// Whether the map explains the scan worse than its own.
    var isStrange = false
    /// Whether it explains it no better than it might explain one of the site's unsurveyed parts
    /// (`SurveyGaps`). Strange scans of a known misfit are doubtful, too.
    var isDoubtful = false
    /// The share of the transmitters' reach in the radii, from 0 to 1.
    var reachShare = 0.0
    /// Metres; the radius of 95 % is no smaller.
    var leastRadius95 = 0.0
    /// A certain place needs this share of the votes for its floor, because the building has
    /// floors without surveys. It is 0 where the building has none.
    var leastFloorShare = 0.0
    /// Whether a track may not count on the scan, since it may have been made in one of the site's
    /// unsurveyed parts. Where the site has none, no scan may.
    var isUnfitting = false
}

extension Strangeness {
    /// - Parameters:
    ///   - limit: the largest misfit that the map explains.
    ///   - floor: the place's floor, as an index into the map's floors.
    init(misfit: Double, limit: Double, gaps: SurveyGaps, floor: Int) {
        let least = gaps.limitShares[floor] * limit
        leastFloorShare = gaps.floorShares[floor]
        isStrange = misfit > limit
        isDoubtful = misfit > least
        guard isDoubtful else { return }
        if gaps.limitShares[floor] < 1 {
            leastRadius95 = SurveyGaps.metres
            isUnfitting = misfit > SurveyGaps.fittingMisfit
        }
        // A person in a building without surveys is farther away than one on another floor.
        let far =
            gaps.hasBuildings
            ? min(Familiarity.farMisfit, SurveyGaps.elsewhereShare * limit) : Familiarity.farMisfit
        reachShare = min(max(0, (misfit - far) / (Familiarity.fullMisfit - far)), 1)
    }
}
