public import Events
public import Site
import Synchronization

/// All published sites, from the log (`SiteTable`); nil until its end has been reached.
public final class SiteDirectory: Sendable {
    private struct State {
        var sites: [SiteID: PublishedSite]?
        var announced: Set<SiteID> = []
        var removed: Set<SiteID> = []
        var removedAt: [SiteID: Timestamp] = [:]
        /// The sites that everybody sees, sorted.
        var everybodys: [SiteID] = []
    }

    private let state = Mutex(State())
    private let change = TableChange()
    private let counters = Mutex<[ChangeCounter]>([])

    public init() {}

    /// Counts each change of the sites from now on.
    public func countChanges(in counter: ChangeCounter) {
        counters.withLock { $0.append(counter) }
    }

    /// - Parameters:
    ///   - announced: the sites that the topic has, perhaps in documents that can't be read; nil
    ///     for those of `sites`.
    ///   - removed: sites whose last record is a tombstone.
    ///   - removedAt: when each site was removed last, also one that was made again since.
    public func replace(
        with sites: [SiteID: PublishedSite], announced: Set<SiteID>? = nil,
        removed: Set<SiteID> = [], removedAt: [SiteID: Timestamp] = [:]
    ) {
        let everybodys = sites.filter {
            $0.key.tested == nil && $0.value.index.document.audience == .everybody
        }
        state.withLock {
            $0 = State(
                sites: sites, announced: announced ?? Set(sites.keys), removed: removed,
                removedAt: removedAt, everybodys: everybodys.keys.sorted())
        }
        change.changed()
        for counter in counters.withLock({ $0 }) { counter.add() }
    }

    /// Waits until this version of a site, or a newer one, is here; false when the time ran out.
    @discardableResult
    public func wait(
        for version: Int, of site: SiteID, atMost patience: Duration
    ) async -> Bool {
        await change.wait(atMost: patience) { [self] in (self[whole: site]?.version ?? 0) >= version
        }
    }

    public var isReady: Bool { state.withLock { $0.sites != nil } }

    /// The site with everything in it, for work that answers nobody. Answers are made of
    /// `seen(_:by:)`; a test names the few routes that may use this one.
    public subscript(whole site: SiteID) -> PublishedSite? {
        state.withLock { $0.sites?[site] }
    }

    public var all: [SiteID: PublishedSite] { state.withLock { $0.sites ?? [:] } }

    var everybodys: [SiteID] { state.withLock { $0.everybodys } }

    /// Whether the topic `site` lacks the site; false until its end has been reached. It may be a
    /// new topic, which will have the site soon.
    public func isUnknown(_ site: SiteID) -> Bool {
        state.withLock { $0.sites != nil && !$0.announced.contains(site) }
    }

    /// Whether the site's removal is on the topic `site`, where its tombstone stays for a day.
    public func isRemoved(_ site: SiteID) -> Bool {
        state.withLock { $0.removed.contains(site) }
    }

    /// When the site was removed last, as far as the topic `site` tells; also if it was made again
    /// since.
    public func removal(of site: SiteID) -> Timestamp? {
        state.withLock { $0.removedAt[site] }
    }
}
