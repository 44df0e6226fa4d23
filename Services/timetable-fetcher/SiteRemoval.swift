import LogViews
import Retrying
import ServiceHost

/// Removes the feeds of sites that were removed, with their rows. A site's tombstone stays on the
/// log for a day.
struct SiteRemoval: Sendable {
    private static let interval = Duration.seconds(15)

    let store: FeedStore
    let sites: SiteDirectory
    let bell: OutboxBell

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
        for site in try await store.sites() where sites.isRemoved(site) {
            try await store.removeAll(of: site)
            bell.ring()
        }
    }
}
