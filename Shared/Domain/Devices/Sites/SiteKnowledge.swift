public import Events
public import Positioning
public import Site

/// Everything that scans of one site are located with: the published site, its radio map, what
/// `auto` follows, its magnetic routes, and the positioners prepared for all that. It never
/// changes; a newer one takes its place as a whole.
public struct SiteKnowledge: Sendable {
    /// A positioner on this site.
    public struct Positioner: Sendable {
        public let name: String
        /// Says what a device's state was made with.
        public let basis: UInt64
        /// The radio map whose choice it follows.
        public let choiceVersion: Int?
        /// Nil where there is no radio map.
        public let prepared: (any PreparedPositioner)?
    }

    /// The site that the positioners are prepared for; nil for one that was never published.
    public let site: PublishedSite?
    /// Nil for the empty map of a site that was never surveyed, and without a map.
    public let announcement: RadioMapAnnounced?
    /// The choice that `auto` follows; nil while nothing was chosen.
    public let choice: PositionerChosen?
    /// Nil where there is none, or none could be fetched yet.
    public let map: RadioMap?
    /// In the order of those that work; the served one comes first.
    public private(set) var positioners: [Positioner]
    /// Nil where there are none, or no positioner asks for them.
    public private(set) var routes: FollowedRoutes?
    /// Why each device is lost, where that is for want of something that exists.
    public private(set) var lostBecause: PositionEstimated.LostReason?
    /// Names in a device's memory; all others are forgotten.
    let remembered: Set<String>
    private let asksForRoutes: Bool

    private init(
        _ sources: SiteSources, _ map: RadioMap?, _ working: [WorkingPositioner],
        prepared: [Positioner], _ routes: FollowedRoutes?
    ) {
        site = sources.site
        announcement = sources.map
        choice = sources.choice
        self.map = map
        positioners = prepared
        asksForRoutes = working.contains { $0.positioner.usesEvidence }
        remembered = Set(working.map(\.name)).union([FollowedRoutes.memoryName])
        follow(routes)
    }

    /// Prepares the positioners, which may take long.
    ///
    /// - Parameters:
    ///   - map: that of `sources.map`; empty for a site that was never surveyed. Its `fault` must
    ///     be nil.
    ///   - known: its positioners are kept where they were prepared for just the same.
    public init(
        _ sources: SiteSources, map: RadioMap, positioners working: [WorkingPositioner],
        routes: FollowedRoutes? = nil, known: SiteKnowledge? = nil, _ digests: Digests
    ) {
        let prepared = working.enumerated().map { index, working in
            Self.prepare(working, sources, map, known: known?.positioners[index], digests)
        }
        self.init(sources, map, working, prepared: prepared, routes)
    }

    /// A site without a radio map: every device is lost.
    public init(
        withoutMap sources: SiteSources, positioners working: [WorkingPositioner],
        routes: FollowedRoutes? = nil, lostBecause: PositionEstimated.LostReason? = nil
    ) {
        let prepared = working.map {
            Positioner(name: $0.name, basis: 0, choiceVersion: nil, prepared: nil)
        }
        self.init(sources, nil, working, prepared: prepared, routes)
        self.lostBecause = lostBecause
    }

    private static func prepare(
        _ working: WorkingPositioner, _ sources: SiteSources, _ map: RadioMap,
        known: Positioner?, _ digests: Digests
    ) -> Positioner {
        guard let site = sources.site else {
            return Positioner(name: working.name, basis: 0, choiceVersion: nil, prepared: nil)
        }
        let choice = working.positioner.followsChoice ? sources.choice : nil
        let (hash, chosen) = (sources.map?.hash ?? "", choice?.positioner ?? "")
        let basis = digests.basis("\(working.option) \(hash) \(site.version) \(chosen)")
        var prepared = known?.basis == basis ? known?.prepared : nil
        if prepared == nil {
            prepared = working.positioner.following(sources.choice?.positioner)
                .prepare(map, site: site.index)
        }
        return Positioner(
            name: working.name, basis: basis, choiceVersion: choice?.radioMapVersion,
            prepared: prepared)
    }

    /// Whether it was prepared for these, but for the magnetic routes, which take no preparing.
    public func isUpToDate(with sources: SiteSources) -> Bool {
        announcement == sources.map && site?.version == sources.site?.version
            && choice == sources.choice
    }

    /// The same with other magnetic routes.
    public func following(_ routes: FollowedRoutes?) -> SiteKnowledge {
        var other = self
        other.follow(routes)
        return other
    }

    private mutating func follow(_ routes: FollowedRoutes?) {
        self.routes = asksForRoutes && routes?.isEmpty == false ? routes : nil
    }

    /// The same with one of the positioners alone.
    public func only(_ index: Int) -> SiteKnowledge {
        var other = self
        other.positioners = [positioners[index]]
        return other
    }

    /// The served positioner alone, by what answers questions for it. Starting that may block.
    /// Magnetic routes are left out: a track begins with a scan's radio.
    var ofQuestions: SiteKnowledge {
        var other = self
        other.routes = nil
        other.positioners = positioners.prefix(1).map {
            Positioner(
                name: $0.name, basis: $0.basis, choiceVersion: $0.choiceVersion,
                prepared: $0.prepared?.ofQuestions ?? $0.prepared)
        }
        return other
    }

    /// The members of a position that come from neither the scan nor the estimate.
    func context(of positioner: Positioner) -> LocatingContext {
        LocatingContext(
            positioner: positioner.name, siteVersion: site?.version ?? 0,
            radioMapVersion: announcement?.version, choiceVersion: positioner.choiceVersion)
    }
}
