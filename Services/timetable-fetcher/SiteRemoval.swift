import Events
import LogViews
import Retrying
import ServiceHost

/// Removes the feeds of sites that were removed, with their rows. It also goes on with removals of
/// feeds that ended half way.
///
/// A site's tombstone says so, which the log keeps for a day. A log without any record of the site
/// may also be a new one that is being filled. Then its feeds go after an hour.
struct SiteRemoval: Sendable {
    private static let interval = Duration.seconds(15)

    let store: FeedStore
    let sites: SiteDirectory
    let clock: EventClock
    let bell: OutboxBell
    /// While the tables and the log do not fit, nothing is removed.
    let guarding: OutboxGuard
    private let unknown = UnknownSites()

    init(
        store: FeedStore, sites: SiteDirectory, clock: EventClock, bell: OutboxBell,
        guarding: OutboxGuard
    ) {
        self.store = store
        self.sites = sites
        self.clock = clock
        self.bell = bell
        self.guarding = guarding
    }

    func keep(_ notices: Notices) async {
        await attemptUntilDone("Removing feeds of removed sites", notices: notices) { retry in
            while !Task.isCancelled {
                try await runOnce()
                retry.ended()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    func runOnce() async throws {
        guard guarding.fits else { return unknown.forget() }
        for site in try await store.sites()
        where unknown.isGone(site, from: sites, at: clock.now) {
            try await store.markRemoved(of: site)
        }
        defer { bell.ring() }
        try await store.finishRemovals()
    }
}
