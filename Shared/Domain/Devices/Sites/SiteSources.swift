public import Events
public import Magnetic
public import Site

/// The newest that the log says of what a site is located with: the one fold of those events.
///
/// Events come from several topics and partitions, in any order, and some of them twice.
public struct SiteSources: Sendable {
    public private(set) var site: PublishedSite?
    public private(set) var map: RadioMapAnnounced?
    /// The choice that `auto` follows; for this map or the one before.
    public private(set) var choice: PositionerChosen?
    public private(set) var routes: MagneticRouteTable

    public init(
        _ id: SiteID, site: PublishedSite? = nil, map: RadioMapAnnounced? = nil,
        choice: PositionerChosen? = nil, routes: MagneticRouteTable? = nil
    ) {
        self.site = site
        self.map = map
        self.choice = choice
        self.routes = routes ?? MagneticRouteTable(site: id)
    }

    /// The same site as another reader of the log knows it.
    public func published(as site: PublishedSite?) -> SiteSources {
        var sources = self
        sources.site = site
        return sources
    }

    /// - Throws: `SiteFaults` for a document that breaks a rule; nothing is changed then.
    public mutating func evolve(_ event: SitePublished) throws(SiteFaults) {
        guard event.version > site?.version ?? 0 else { return }
        site = try PublishedSite(event)
    }

    /// The site was removed; what else is known of it stays, should it come back.
    public mutating func removeSite() { site = nil }

    public mutating func evolve(_ event: RadioMapAnnounced) {
        if event.version > map?.version ?? 0 { map = event }
    }

    public mutating func evolve(_ event: PositionerChosen) {
        if event.radioMapVersion >= choice?.radioMapVersion ?? 0 { choice = event }
    }

    public mutating func evolve(_ event: MagneticRouteRecorded) { routes.take(event) }
    public mutating func evolve(_ event: MagneticRouteValidated) { routes.take(event) }
    public mutating func evolve(_ event: MagneticRouteDeleted) { routes.take(event) }
}

extension [SiteID: SiteSources] {
    /// What the site is located with, as another reader of the log knows the site itself: a
    /// testers' site borrows all but its document. This is the one place that borrows.
    public func located(_ id: SiteID, published site: PublishedSite?) -> SiteSources {
        let lender = site?.lender ?? id
        return (self[lender] ?? SiteSources(lender)).published(as: site)
    }
}

extension PublishedSite {
    /// The site whose radio map it is located with; nil for its own.
    public var lender: SiteID? { index.document.borrows?.site }
}
