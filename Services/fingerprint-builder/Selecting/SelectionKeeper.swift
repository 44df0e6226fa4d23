import Events
import LogViews
import Retrying
import ServiceHost

/// Removes the selections of sites that were removed, as `MapBuilder` does with their radio maps.
struct SelectionKeeper: Sendable {
    private static let pause = Duration.seconds(60)

    let sites: SiteDirectory
    let clock: EventClock
    let store: SelectionStore
    /// A log that lost its sites would seem to have removed them.
    let guarding: OutboxGuard
    private let unknown = UnknownSites()

    func run(_ notices: Notices) async {
        await attemptUntilDone("Removing selections of removed sites", notices: notices) { retry in
            while !Task.isCancelled {
                try await removeWhatIsGone()
                retry.ended()
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    func removeWhatIsGone() async throws {
        guard guarding.fits else { return unknown.forget() }
        for site in try await store.sites() {
            if unknown.isGone(site, from: sites, at: clock.now) {
                try await store.remove(site)
            } else if let removal = sites.removal(of: site) {
                // The site was made again, and begins without a selection.
                try await store.remove(site, before: removal)
            }
        }
    }
}
