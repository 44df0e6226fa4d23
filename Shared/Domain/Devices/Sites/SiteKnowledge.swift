public import Events
public import Positioning
public import Site

/// Everything needed to locate the scans of one site. It has the published site, its radio map, the
/// choice of `auto`, its magnetic routes, and the positioners prepared for them. It never changes;
/// a newer one replaces it. It is a class, because each scan passes it on several times.
public final class SiteKnowledge: Sendable {
    /// A positioner prepared for this site.
    public struct Positioner: Sendable {
        public let name: String
        /// Identifies everything for which it was prepared.
        public let basis: UInt64
        /// Identifies everything that a device's state depends on
        /// (`PreparedPositioner.stateBasis`).
        public let stateBasis: UInt64
        /// The version of the radio map whose choice it uses.
        public let choiceVersion: Int?
        /// Nil where there is no radio map.
        public let prepared: (any PreparedPositioner)?
    }

    /// The site for which the positioners are prepared; nil if it was never published.
    public let site: PublishedSite?
    /// The announcement of the radio map. Nil for the empty map of a site without surveys, and
    /// without a map.
    public let announcement: RadioMapAnnounced?
    /// The choice that `auto` uses; nil before the first choice.
    public let choice: PositionerChosen?
    /// The selection of the site's positioners; nil for the installation's default.
    public let selected: PositionerSelected?
    /// Nil where there is none, or where it could not be fetched yet.
    public let map: RadioMap?
    /// The positioners of the site: the served one first, then those beside it.
    public let positioners: [Positioner]
    /// Nil where there are none, or no positioner uses them.
    public let routes: FollowedRoutes?
    /// Nil for a site that places no scanners.
    public let nodes: LocatingNodes?
    /// How the nodes hear; nil before their first calibration.
    public let calibration: NodesCalibrated?
    /// The reason why all devices are lost, if something that exists could not be used.
    public let lostBecause: PositionEstimated.LostReason?
    /// The names of states to keep in a device's memory; all others are removed.
    let remembered: Set<String>
    private let asksForRoutes: Bool

    private init(
        _ sources: SiteSources, _ map: RadioMap?, _ working: [WorkingPositioner],
        prepared: [Positioner], _ routes: FollowedRoutes?, nodes: LocatingNodes? = nil,
        lostBecause: PositionEstimated.LostReason? = nil
    ) {
        site = sources.site
        announcement = sources.map
        choice = sources.choice
        selected = sources.selected
        self.map = map
        self.lostBecause = lostBecause
        positioners = prepared
        asksForRoutes = working.contains { $0.positioner.usesEvidence }
        self.routes = Self.used(routes, asksForRoutes)
        self.nodes = nodes
        calibration = sources.nodes
        remembered = Set(working.map(\.name)).union(
            [FollowedRoutes.memoryName, PreparedNodes.memoryName])
    }

    /// The same with other positioners and routes.
    private init(
        _ other: SiteKnowledge, _ positioners: [Positioner], _ routes: FollowedRoutes?
    ) {
        site = other.site
        announcement = other.announcement
        choice = other.choice
        selected = other.selected
        map = other.map
        lostBecause = other.lostBecause
        self.positioners = positioners
        asksForRoutes = other.asksForRoutes
        self.routes = Self.used(routes, asksForRoutes)
        nodes = other.nodes
        calibration = other.calibration
        remembered = other.remembered
    }

    /// The routes, if a positioner asks for them and there are any.
    private static func used(_ routes: FollowedRoutes?, _ isAsked: Bool) -> FollowedRoutes? {
        isAsked && routes?.isEmpty == false ? routes : nil
    }

    /// Prepares the positioners, which may last long.
    ///
    /// - Parameters:
    ///   - map: the map of `sources.map`; empty for a site without surveys. Its `fault` must be
    ///     nil.
    ///   - known: the earlier value. Its positioners are kept if they have the same basis.
    public convenience init(
        _ sources: SiteSources, map: RadioMap, positioners working: [WorkingPositioner],
        routes: FollowedRoutes? = nil, known: SiteKnowledge? = nil, _ digests: Digests
    ) {
        let prepared = working.map { Self.prepare($0, sources, map, known: known, digests) }
        self.init(
            sources, map, working, prepared: prepared, routes,
            nodes: LocatingNodes(sources, map: map, known: known?.nodes, digests))
    }

    /// A site without a radio map, where every device is lost.
    public convenience init(
        withoutMap sources: SiteSources, positioners working: [WorkingPositioner],
        routes: FollowedRoutes? = nil, lostBecause: PositionEstimated.LostReason? = nil
    ) {
        let prepared = working.map {
            Positioner(
                name: $0.name, basis: 0, stateBasis: 0, choiceVersion: nil, prepared: nil)
        }
        self.init(sources, nil, working, prepared: prepared, routes, lostBecause: lostBecause)
    }

    private static func prepare(
        _ working: WorkingPositioner, _ sources: SiteSources, _ map: RadioMap,
        known: SiteKnowledge?, _ digests: Digests
    ) -> Positioner {
        // A site whose nodes locate has no map to prepare others for, before the first survey.
        let isByNodesAlone =
            sources.map == nil && map == .empty && !working.positioner.worksWithoutMap
            && sources.site?.index.document.beacons.isEmpty == true
            && sources.site?.index.document.scanners.isEmpty == false
        guard let site = sources.site, !isByNodesAlone else {
            return Positioner(
                name: working.name, basis: 0, stateBasis: 0, choiceVersion: nil, prepared: nil)
        }
        let choice = working.positioner.followsChoice ? sources.choice : nil
        let (hash, chosen) = (sources.map?.hash ?? "", choice?.positioner ?? "")
        let basis = digests.basis("\(working.option) \(hash) \(site.version) \(chosen)")
        var prepared = known?.positioners.first { $0.basis == basis }?.prepared
        if prepared == nil {
            prepared = working.positioner.following(sources.choice?.positioner)
                .prepare(map, site: site.index)
        }
        return Positioner(
            name: working.name, basis: basis,
            stateBasis: prepared?.stateBasis.map { digests.basis("\(working.option) \($0)") }
                ?? basis,
            choiceVersion: choice?.radioMapVersion, prepared: prepared)
    }

    /// Whether it was prepared for these sources. Magnetic routes are not compared, because they
    /// need no preparation.
    public func isUpToDate(with sources: SiteSources) -> Bool {
        announcement == sources.map && site?.version == sources.site?.version
            && choice == sources.choice && selected == sources.selected
            && calibration?.calibratedAt == sources.nodes?.calibratedAt
    }

    /// The same with other magnetic routes.
    public func following(_ routes: FollowedRoutes?) -> SiteKnowledge {
        SiteKnowledge(self, positioners, routes)
    }

    /// The same with only one of the positioners.
    public func only(_ index: Int) -> SiteKnowledge {
        SiteKnowledge(self, [positioners[index]], routes)
    }

    /// The served positioner alone, in its form for single questions, which may block while it
    /// starts. Magnetic routes are left out, because a track starts with a scan's radio.
    var ofQuestions: SiteKnowledge {
        if routes == nil, positioners.count == 1, positioners[0].prepared?.ofQuestions == nil {
            return self
        }
        let served = positioners.prefix(1).map {
            Positioner(
                name: $0.name, basis: $0.basis, stateBasis: $0.stateBasis,
                choiceVersion: $0.choiceVersion, prepared: $0.prepared?.ofQuestions ?? $0.prepared)
        }
        return SiteKnowledge(self, served, nil)
    }

    /// The fields of a position that come from neither the scan nor the estimate.
    func context(of positioner: Positioner) -> LocatingContext {
        LocatingContext(
            positioner: positioner.name, siteVersion: site?.version ?? 0,
            radioMapVersion: announcement?.version, choiceVersion: positioner.choiceVersion)
    }
}
