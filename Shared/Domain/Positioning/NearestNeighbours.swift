public import Site

/// Weighted nearest neighbours: the nine fingerprints nearest to the scan vote for the floor, and
/// those on the chosen floor for the place, each with the weight 1 / distance.
///
/// Nine neighbours, the Sorensen distance and powed strengths are the settings that the literature
/// recommends for UJIIndoorLoc (Torres-Sospedra et al. 2015, table 4).
public struct NearestNeighbours: Positioner {
    public static let neighbourCount = 9
    /// Keeps the weight of an exact match finite.
    static let smallestDistance = 1e-4
    /// With fewer shared transmitters than this the best match may be chance.
    static let certainOverlap = 3
    /// With a smaller share of the votes the floor is a guess.
    static let certainFloorShare = 0.5

    public let name = "knn"

    public init() {}

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedNearestNeighbours(map: map, site: site)
    }
}
