import Glibc
public import Site

/// Weighted nearest neighbours: the k fingerprints nearest to the scan vote for the floor. Those on
/// the chosen floor vote for the place.
///
/// The defaults are nine neighbours, the Sorensen distance, powed strengths and the weight 1 /
/// distance. The literature recommends these for UJIIndoorLoc (Torres-Sospedra et al. 2015, table
/// 4). The best weight of strong readings differs between sites, so each radio map chooses the
/// exponent that does best on itself. All of these are parameters.
public struct NearestNeighbours: Positioner {
    /// The formula for the weight of a neighbour's vote.
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
    /// The exponents that a map chooses from, the literature's first.
    static let exponents = [M_E, 1, 1.5, 2]
    /// Smaller distances count as this, which keeps the weight of an exact match finite.
    static let smallestDistance = 1e-4

    public var name = "knn"

    /// The representations to choose from. A map that is too small to choose uses the first.
    var representations: [SignalRepresentation]
    var distance = SignalDistance.sorensen
    var neighbourCount = Self.neighbourCount
    var weighting = Weighting.inverse

    /// - Parameter exponent: the exponent for every map; nil lets each map choose.
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
