import Events
import HTTP
import ServiceHost
import Site
import Synchronization
import Threads
import Wayfinding
import Wire

/// The graphs of every site, made from its newest publication on a thread of its own. Until a new
/// graph is ready, requests use the one before.
///
/// A site with rooms or floors that are not for everybody has a graph for each kind of reader. So
/// no way, direction or obstacle names such a place to others.
final class RouteNetworks: Sendable {
    private struct State {
        var ready: [SiteID: [Reader: ReadySite]] = [:]
        /// Site versions whose graph could not be made.
        var failed: [SiteID: Int] = [:]
    }

    private let sites: SiteDirectory
    private let onUnexpected: @Sendable (String) -> Void
    private let onRecovery: @Sendable (String) -> Void
    private let making = LongWork("route-networks")
    private let state = Mutex(State())

    init(
        sites: SiteDirectory, onUnexpected: @escaping @Sendable (String) -> Void,
        onRecovery: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.sites = sites
        self.onUnexpected = onUnexpected
        self.onRecovery = onRecovery
    }

    /// - Throws: a `Problem` when there is no such site, or while its graph is not ready.
    func ready(_ site: SiteID, for reader: Reader) throws(Problem) -> ReadySite {
        let (ready, hasFailed) = state.withLock {
            ($0.ready[site]?[reader], $0.failed[site] != nil)
        }
        if let ready { return ready }
        guard sites.isReady else { throw .starting }
        guard sites[whole: site] != nil else { throw .siteUnknown(site) }
        if hasFailed {
            throw Problem(
                .siteTooLarge, "No graph can be made of this site.", retryAfterSeconds: 60)
        }
        throw .starting
    }

    /// Makes the graphs of new publications until the task is cancelled.
    /// - Parameter onReady: is called each time all graphs are up to date.
    func run(onReady: () -> Void) async {
        let changes = ChangeCounter()
        sites.countChanges(in: changes)
        while !Task.isCancelled {
            let count = changes.count
            if sites.isReady {
                await update()
                onReady()
            }
            await changes.rest(since: count)
        }
    }

    /// Makes the graphs of publications that have none yet.
    func update() async {
        let sites = sites.all
        for (site, published) in sites { await make(site, published) }
        // A site that was removed has no routes.
        state.withLock { state in
            state.ready = state.ready.filter { sites[$0.key] != nil }
        }
    }

    private func make(_ site: SiteID, _ published: PublishedSite) async {
        let (former, failed) = state.withLock { ($0.ready[site], $0.failed[site]) }
        guard former?[.editor]?.version != published.version, failed != published.version else {
            return
        }
        let made = await making.run { Result { try Self.sites(site, published, after: former) } }
        switch made {
        case .success(let ready):
            state.withLock { state in
                state.ready[site] = ready
                state.failed[site] = nil
            }
            if failed != nil {
                onRecovery("Routes at \(site) use version \(published.version) now.")
            }
        case .failure(let fault):
            onUnexpected(
                "No graph can be made of version \(published.version) of \(site); "
                    + "editors' routes still use the version before: \(fault).")
            state.withLock { state in
                // The version before may show what is hidden now.
                state.ready[site] = state.ready[site]?.filter { $0.key == .editor }
                state.failed[site] = published.version
            }
        case nil: return
        }
    }

    /// The graphs for all readers. Those who see the same share one.
    private static func sites(
        _ site: SiteID, _ published: PublishedSite, after former: [Reader: ReadySite]?
    ) throws -> [Reader: ReadySite] {
        var made: [Reader: ReadySite] = [:]
        for reader in Reader.allCases {
            let seen = published.seen(by: reader)
            let same = made.values.first { $0.index === seen.index }
            made[reader] = try same ?? ReadySite(site, seen, after: former?[reader])
        }
        return made
    }
}
