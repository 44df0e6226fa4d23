import Glibc
public import Site

/// Weighted nearest neighbours: the nine fingerprints nearest to the scan vote for the floor, and
/// those on the chosen floor for the place, each with the weight 1 / distance.
///
/// Nine neighbours, the Sorensen distance and powed strengths are the settings that the literature
/// recommends for UJIIndoorLoc (Torres-Sospedra et al. 2015, table 4). How much the strong readings
/// should count more than the weak ones differs between sites, so each radio map chooses the exponent
/// that does best on itself.
public struct NearestNeighbours: Positioner {
    public static let neighbourCount = 9
    /// That of the literature first.
    static let exponents = [M_E, 1, 1.5, 2]
    /// Keeps the weight of an exact match finite.
    static let smallestDistance = 1e-4
    /// With fewer shared transmitters than this the best match may be chance.
    static let certainOverlap = 3
    /// With a smaller share of the votes the floor is a guess.
    static let certainFloorShare = 0.5

    public let name = "knn"

    /// Those to choose from; the first stays when the map is too small to choose.
    let exponents: [Double]

    /// - Parameter exponent: for every map; nil lets each map choose.
    public init(exponent: Double? = nil) {
        exponents = exponent.map { [$0] } ?? Self.exponents
    }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedNearestNeighbours(map: map, site: site, exponents: exponents)
    }
}
