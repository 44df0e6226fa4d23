public import Events
public import Magnetic
public import Site

/// The newest events about one site that are needed to locate its scans. Only this type combines
/// them.
///
/// Events come from several topics and partitions, in any order, and some of them twice.
public struct SiteSources: Sendable {
    public private(set) var site: PublishedSite?
    public private(set) var map: RadioMapAnnounced?
    /// The choice that `auto` uses, made for this map or the one before.
    public private(set) var choice: PositionerChosen?
    /// The newest calibration of the site's nodes.
    public private(set) var nodes: NodesCalibrated?
    public private(set) var routes: MagneticRouteTable
    /// The positioners that the site asks for; nil for the installation's default.
    public private(set) var selected: PositionerSelected?

    public init(
        _ id: SiteID, site: PublishedSite? = nil, map: RadioMapAnnounced? = nil,
        choice: PositionerChosen? = nil, nodes: NodesCalibrated? = nil,
        routes: MagneticRouteTable? = nil, selected: PositionerSelected? = nil
    ) {
        self.site = site
        self.map = map
        self.choice = choice
        self.nodes = nodes
        self.routes = routes ?? MagneticRouteTable(site: id)
        self.selected = selected
    }

    /// The same with a site read by another reader of the log.
    public func published(as site: PublishedSite?) -> SiteSources {
        var sources = self
        sources.site = site
        return sources
    }

    public mutating func evolve(_ event: RadioMapAnnounced) {
        if event.version > map?.version ?? 0 { map = event }
    }

    public mutating func evolve(_ event: PositionerChosen) {
        if event.radioMapVersion >= choice?.radioMapVersion ?? 0 { choice = event }
    }

    public mutating func evolve(_ event: NodesCalibrated) {
        if event.calibratedAt >= nodes?.calibratedAt ?? event.calibratedAt { nodes = event }
    }

    public mutating func evolve(_ event: PositionerSelected) {
        if event.revision >= selected?.revision ?? 0 { selected = event }
    }

    /// Forgets the selection of a site that was removed.
    public mutating func forgetSelection() { selected = nil }

    /// Forgets the calibrations of a site that was removed.
    public mutating func forgetNodes() { nodes = nil }

    public mutating func evolve(_ event: MagneticRouteRecorded) { routes.evolve(event) }
    public mutating func evolve(_ event: MagneticRouteValidated) { routes.evolve(event) }
    public mutating func evolve(_ event: MagneticRouteDeleted) { routes.evolve(event) }
}

extension [SiteID: SiteSources] {
    /// The sources for locating at a site, whose publication another reader of the log may supply.
    /// A testers' site borrows everything except its document. Only this function borrows.
    public func located(_ id: SiteID, published site: PublishedSite?) -> SiteSources {
        let lender = site?.lender ?? id
        return (self[lender] ?? SiteSources(lender)).published(as: site)
    }
}

extension PublishedSite {
    /// The site whose radio map is borrowed; nil if the site uses its own.
    public var lender: SiteID? { index.document.borrows?.site }
}
