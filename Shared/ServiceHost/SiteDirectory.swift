import EventLog
public import Events
public import Site
import Synchronization
import Wire

/// All published sites, from the `site` topic; nil until the topic has been read to its end.
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

    /// Applies one record of the topic; false when it can't be read. The outbox may send a version
    /// again, which changes nothing.
    static func apply(_ sites: inout [SiteID: PublishedSite], _ record: StoredRecord) -> Bool {
        guard record.value != nil else {
            // A tombstone: the site was removed.
            if let key = record.key { sites[SiteID(String(decoding: key, as: UTF8.self))] = nil }
            return true
        }
        guard let event = try? SitePublished(record: record) else { return false }
        if let known = sites[event.site], known.version >= event.version { return true }
        guard let published = try? PublishedSite(event) else { return false }
        sites[event.site] = published
        return true
    }
}
