import Events
import Site

/// The floors and buildings of a site that a map has no survey of. A person there receives access
/// points of surveyed floors, too, so a scan fits some survey.
///
/// Scans of a floor between two surveyed ones fit hardly worse than the map's own. So if the
/// building has a floor without surveys, a place is certain only where the fit is good. It is
/// better than about half of the map's own. Scans of another building fit worse, so there it is
/// enough to be better than most. Both shares were found with training parts (docs/accuracy.md,
/// section Strange scans).
struct SurveyGaps: Sendable {
    static let floorShare = 0.5
    static let buildingShare = 0.75
    /// Metres; people on a floor without surveys are seldom farther from their place on a surveyed
    /// one. It is the distance at which a faint transmitter is still likely received.
    static let metres = FaintHearing.beyondMetres

    /// The share of the map's limit of misfits up to which a place is certain, by the map's floors.
    let limitShares: [Double]
    /// Whether a building has no survey at all.
    let hasBuildings: Bool

    /// Floors with beacons of the site are no gaps: their beacons tell them.
    init(_ map: RadioMap, site: SiteIndex) {
        var surveyed = Set(map.fingerprints.map { map.floors[Int($0.floor)] })
        let buildings = Set(surveyed.compactMap { site.floor($0)?.building })
        surveyed.formUnion(site.document.beacons.lazy.filter { !$0.isDisabled }.map(\.floor))
        let gaps = Set(site.floors.lazy.filter { !surveyed.contains($0.id) }.map(\.building))
        hasBuildings = !gaps.isSubset(of: buildings)
        let elsewhere = hasBuildings ? Self.buildingShare : 1
        limitShares = map.floors.map { floor in
            let building = site.floor(floor)?.building
            return building.map(gaps.contains) ?? false ? Self.floorShare : elsewhere
        }
    }
}
