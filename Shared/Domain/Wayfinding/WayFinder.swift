public import Routing
public import Site

/// Answers route queries on one published site.
///
/// Everything that depends on the ways alone is worked out once; what depends on profiles and closures
/// is worked out when it is first asked for, and kept. One finder serves any number of threads.
public final class WayFinder: Sendable {
    public let network: WayNetwork

    public init(_ network: WayNetwork) { self.network = network }

    /// The best route and its alternatives, or why there is none.
    ///
    /// - Parameter outages: those reported for the site; which ones count is judged at departure.
    public func answer(_ query: RouteQuery, outages: [WayOutage] = []) -> RouteAnswer {
        .none(.unknownPlace(query.from))
    }
}

/// Where one can go in a site: the ways of its document as a graph over (place, level).
public struct WayNetwork: Sendable {
    public let site: SiteIndex

    /// - Throws: when the graph would be too large or too dense.
    public init(_ site: SiteIndex) throws(RouteGraphFault) { self.site = site }
}
