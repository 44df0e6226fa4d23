import HTTP
import ServiceHost
import ServiceRuntime

/// The work on drafts beside the requests: followers of edits are notified, and drafts are stored.
struct DraftWork: Sendable {
    let store: SiteStore
    private let hub: DraftEditHub
    private let snapshots: DraftSnapshots

    init(_ store: SiteStore) {
        self.store = store
        hub = DraftEditHub(store)
        snapshots = DraftSnapshots(store)
    }

    func component(_ host: Host) -> any Component {
        host.loop("drafts") {
            async let followed: Void = hub.run(host.notices)
            await snapshots.keep(host.notices)
            await followed
        }
    }

    /// The edits of drafts, and maps of the published sites and of drafts.
    func routes(_ host: Host) -> [Route] {
        let drafts = DraftIndexes(store)
        return DraftEditRoutes(sites: host.sites, clock: host.clock, store: store, hub: hub).all
            + MapRoutes(sites: host.sites, drafts: drafts).all
            + MapPartRoutes(sites: host.sites, drafts: drafts).all
    }
}
