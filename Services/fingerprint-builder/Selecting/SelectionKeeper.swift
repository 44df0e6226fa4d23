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
        for site in try await store.sites() where isGone(site) { try await store.remove(site) }
    }

    private func isGone(_ site: SiteID) -> Bool {
        let isLongUnknown = unknown.isLong(
            site, isUnknown: sites.isUnknown(site), at: clock.now)
        return sites.isRemoved(site) || isLongUnknown
    }
}
