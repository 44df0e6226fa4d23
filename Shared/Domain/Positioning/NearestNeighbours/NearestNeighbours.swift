import Glibc
public import Site

/// Weighted nearest neighbours: the k fingerprints nearest to the scan vote for the floor, and
/// those on the chosen floor for the place.
///
/// As it comes: nine neighbours, the Sorensen distance, powed strengths and the weight 1 /
/// distance, the settings that the literature recommends for UJIIndoorLoc (Torres-Sospedra et al.
/// 2015, table 4). How much the strong readings should count more than the weak ones differs
/// between sites, so each radio map chooses the exponent that does best on itself. All of these are
/// parameters.
public struct NearestNeighbours: Positioner {
    /// What a neighbour's vote counts for.
    public enum Weighting: String, Hashable, Sendable, CaseIterable {
        /// 1 / distance.
        case inverse
        case equal

        func weight(_ distance: Double) -> Double {
            switch self {
            case .inverse: 1 / max(distance, NearestNeighbours.smallestDistance)
            case .equal: 1
            }
        }
    }

    public static let neighbourCount = 9
    /// That of the literature first.
    static let exponents = [M_E, 1, 1.5, 2]
    /// Keeps the weight of an exact match finite.
    static let smallestDistance = 1e-4

    public var name = "knn"

    /// Those to choose from; the first stays when the map is too small to choose.
    var representations: [SignalRepresentation]
    var distance = SignalDistance.sorensen
    var neighbourCount = Self.neighbourCount
    var weighting = Weighting.inverse

    /// - Parameter exponent: for every map; nil lets each map choose.
    public init(exponent: Double? = nil) {
        representations = Self.powed(exponent)
    }

    public func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        PreparedNearestNeighbours(map: map, site: site, settings: self)
    }

    static func powed(_ exponent: Double?) -> [SignalRepresentation] {
        (exponent.map { [$0] } ?? Self.exponents).map { .powed(exponent: $0) }
    }
}
