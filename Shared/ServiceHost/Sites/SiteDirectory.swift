public import Events
public import Site
import Synchronization

/// All published sites, from the log (`SiteTable`); nil until its end has been reached.
public final class SiteDirectory: Sendable {
    private let sites = Mutex<[SiteID: PublishedSite]?>(nil)
    private let change = TableChange()

    public init() {}

    public func replace(with sites: [SiteID: PublishedSite]) {
        self.sites.withLock { $0 = sites }
        change.changed()
    }

    /// Waits until this version of a site, or a newer one, is here; false when the time ran out.
    @discardableResult
    public func wait(
        for version: Int, of site: SiteID, atMost patience: Duration
    ) async -> Bool {
        await change.wait(atMost: patience) { [self] in (self[site]?.version ?? 0) >= version }
    }

    public var isReady: Bool { sites.withLock { $0 != nil } }

    public subscript(site: SiteID) -> PublishedSite? { sites.withLock { $0?[site] } }

    public var all: [SiteID: PublishedSite] { sites.withLock { $0 ?? [:] } }
}
