import Events
import HTTP
import ServiceHost
import ServiceRuntime
import Site
import Synchronization
import Wayfinding
import Wire

/// The graph of every site, made from its newest publication on a thread of its own and swapped in
/// whole; while it is made, the one before serves.
final class RouteNetworks: Sendable {
    private struct State {
        var ready: [SiteID: ReadySite] = [:]
        /// Versions of which no graph could be made.
        var failed: [SiteID: Int] = [:]
    }

    private let host: Host
    private let making = LongWork("route-networks")
    private let state = Mutex(State())

    init(host: Host) { self.host = host }

    /// - Throws: a `Problem` when there is no such site, or its graph is not made yet.
    func ready(_ site: SiteID) throws(Problem) -> ReadySite {
        let (ready, hasFailed) = state.withLock { ($0.ready[site], $0.failed[site] != nil) }
        if let ready { return ready }
        guard host.sites.isReady else { throw .starting }
        guard host.sites[site] != nil else { throw .siteUnknown(site) }
        if hasFailed {
            throw Problem(
                .siteTooLarge, "No graph can be made of this site.", retryAfterSeconds: 60)
        }
        throw .starting
    }

    /// Keeps the graphs those of the newest publications until the task is cancelled.
    func run() async {
        let health = host.context.health.check("networks")
        while !Task.isCancelled {
            if host.sites.isReady {
                let sites = host.sites.all
                for (site, published) in sites { await make(site, published) }
                // Nobody is led through a site that was removed.
                state.withLock { state in
                    state.ready = state.ready.filter { sites[$0.key] != nil }
                }
                health.set(.ready)
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    private func make(_ site: SiteID, _ published: PublishedSite) async {
        let isKnown = state.withLock { state in
            state.ready[site]?.version == published.version
                || state.failed[site] == published.version
        }
        guard !isKnown else { return }
        let made = await making.run { Result { try ReadySite(site, published) } }
        switch made {
        case .success(let ready):
            state.withLock { state in
                state.ready[site] = ready
                state.failed[site] = nil
            }
        case .failure(let fault):
            host.unexpected(
                "No graph can be made of version \(published.version) of \(site), and the one before "
                    + "goes on to serve: \(fault).")
            state.withLock { $0.failed[site] = published.version }
        case nil: return
        }
    }
}
