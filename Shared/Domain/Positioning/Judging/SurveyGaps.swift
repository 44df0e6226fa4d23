import Events
import Site

/// The floors and buildings of a site that a map has no survey of. A person there receives access
/// points of surveyed floors, too, so a scan fits some survey.
///
/// Scans of a floor between two surveyed ones fit hardly worse than the map's own. Nearly all that
/// fit best seem to be of the next floor above or below. So beside a floor without surveys a place
/// is certain only where the fit is much better than usual. Elsewhere in the building it is enough
/// to be better than most, as it is where only other buildings have no surveys. Scans of a missing
/// floor that seem to be farther away fit several floors alike. So a place in such a building is
/// certain only if its floor has nearly all votes. The constants were found with training parts
/// (docs/accuracy.md, section Strange scans).
///
/// A track counts on more scans: on all with a small misfit (`fittingMisfit`). The limit of a map
/// with dense surveys is so low that most of these would be uncertain alone.
struct SurveyGaps: Sendable {
    static let besideShare = 0.35
    static let elsewhereShare = 0.75
    static let certainFloorShare = 0.9
    /// A track counts on scans with no larger misfit. In simulated buildings no scan of a missing
    /// floor is below 0.4, since slabs are between the floors. Around the atrium of MS site 1 up to
    /// 5 % are below it.
    static let fittingMisfit = 0.25
    /// Metres; people on a floor without surveys are seldom farther from their place on a surveyed
    /// one. It is the distance at which a faint transmitter is still likely received.
    static let metres = FaintHearing.beyondMetres

    /// The share of the map's limit of misfits up to which a place is certain, by the map's floors.
    let limitShares: [Double]
    /// The share of votes that a certain place's floor has at least, by the map's floors; 0 where
    /// the building has no gap.
    let floorShares: [Double]
    /// Whether a building has no survey at all.
    let hasBuildings: Bool

    /// Floors with beacons of the site are no gaps: their beacons tell them.
    init(_ map: RadioMap, site: SiteIndex) {
        var surveyed = Set(map.fingerprints.map { map.floors[Int($0.floor)] })
        let buildings = Set(surveyed.compactMap { site.floor($0)?.building })
        surveyed.formUnion(site.document.beacons.lazy.filter { !$0.isDisabled }.map(\.floor))
        let floors = Dictionary(grouping: site.floors) { surveyed.contains($0.id) }
        let gaps = Dictionary(grouping: floors[false] ?? [], by: \.building)
        let known = Dictionary(grouping: floors[true] ?? [], by: \.building)
        hasBuildings = gaps.keys.contains { !buildings.contains($0) }
        let elsewhere = hasBuildings ? Self.elsewhereShare : 1
        var (limitShares, floorShares): ([Double], [Double]) = ([], [])
        for floor in map.floors.map({ site.floor($0) }) {
            let own = floor.flatMap { gaps[$0.building] }
            guard let floor, let own else {
                limitShares.append(elsewhere)
                floorShares.append(0)
                continue
            }
            let others = known[floor.building] ?? []
            let isBeside = own.contains { gap in
                let (low, high) = (min(gap.ordinal, floor.ordinal), max(gap.ordinal, floor.ordinal))
                return !others.contains { low < $0.ordinal && $0.ordinal < high }
            }
            limitShares.append(isBeside ? Self.besideShare : Self.elsewhereShare)
            floorShares.append(Self.certainFloorShare)
        }
        self.limitShares = limitShares
        self.floorShares = floorShares
    }
}
