import Events
import LogViews
import Positioning
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Threads
import Wire

/// Judges the positioners that a site has selected by its surveys and by taps, so that an
/// administrator sees whether one beside is better.
///
/// One site is judged at a time, and only when its radio map, its selection or its taps are other
/// ones than before. Several keepers may run: the last figures stay.
struct ComparisonKeeper: Sendable {
    private static let longWork = LongWork("positioner-comparison")
    /// The time between two comparisons of the same site.
    static let pause = Duration.seconds(600)
    /// Each look counts the recent taps of all sites that select positioners.
    private static let tick = Duration.seconds(60)

    let sites: SiteDirectory
    let clock: EventClock
    let notices: Notices
    let maps: RadioMapStore
    let taps: TapStore
    let store: ComparisonStore
    let stock: CandidateStock
    /// A log that lost its sites would seem to have removed them.
    let guarding: OutboxGuard
    private let unknown = UnknownSites()

    func run() async {
        await attemptUntilDone("Comparing positioners", notices: notices) { retry in
            while !Task.isCancelled {
                try await removeWhatIsGone()
                if try await taps.hasTables() { try await compareWhatIsDue() }
                retry.ended()
                try? await Task.sleep(for: Self.tick)
            }
        }
    }

    /// Compares the positioners of each site where something has changed. A failure with one site
    /// does not delay the others; that site has its turn again after the pause.
    func compareWhatIsDue(pause: Duration = ComparisonKeeper.pause) async throws {
        for one in try await store.selecting(tapsSince: oldestTap) where !isResting(one, pause) {
            do {
                try await compareIfChanged(one)
            } catch {
                if Task.isCancelled { throw error }
                try await store.putOff(one.site, at: clock.now)
                notices.onUnexpected("The positioners of \(one.site) can't be compared: \(error)")
            }
        }
    }

    private var oldestTap: Timestamp {
        clock.now.advanced(byMicroseconds: -PositionerComparison.microsecondsOfTaps)
    }

    private func isResting(_ one: ComparisonStore.Selecting, _ pause: Duration) -> Bool {
        guard let madeAt = one.madeAt else { return false }
        // A clock that was set back lets no site wait for longer.
        return (0..<Int64(pause / .microseconds(1))).contains(clock.now - madeAt)
    }

    private func compareIfChanged(_ one: ComparisonStore.Selecting) async throws {
        let selected = try PositionerSelected(json: one.selected)
        guard !selected.selection.beside.isEmpty else {
            if one.madeAt != nil { try await store.remove(one.site) }
            return
        }
        let candidates = stock.candidates(for: selected.selection)
        let mark =
            "map \(one.radioMapVersion), selection \(selected.revision), taps \(one.taps), by "
            + candidates.map(\.basis).joined(separator: "; ")
        guard mark != one.mark, let published = sites[one.site],
            let map = try await maps.map(one.hash)
        else { return }
        let recent = try await taps.taps(of: one.site, since: oldestTap)
        let choice = try PositionerChosen(json: one.choice).positioner
        let comparison = await Self.longWork.run {
            PositionerComparison(
                candidates, on: map, site: published.index, choice: choice, taps: recent)
        }
        guard let comparison else { return }
        let basis = ComparisonStanding.Basis(
            radioMapVersion: one.radioMapVersion, revision: selected.revision)
        let now = clock.now
        try await store.keep(
            comparison.json(of: basis, madeAt: now), of: one.site, basis, mark: mark, madeAt: now)
    }

    // MARK: Removed sites

    /// Removes the figures of sites that were removed, also of those that were made again since.
    func removeWhatIsGone() async throws {
        guard guarding.fits else { return unknown.forget() }
        for (site, madeAt) in try await store.sites() {
            let wasRemovedSince = sites.removal(of: site).map { madeAt < $0 } ?? false
            if isGone(site) || wasRemovedSince { try await store.remove(site) }
        }
    }

    private func isGone(_ site: SiteID) -> Bool {
        let isLongUnknown = unknown.isLong(
            site, isUnknown: sites.isUnknown(site), at: clock.now)
        return sites.isRemoved(site) || isLongUnknown
    }
}
