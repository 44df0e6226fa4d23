import EventLog
import Events
import Positioning
import Postgres
import RadioMapCare
import Retrying
import ServiceHost
import Site
import Threads
import Wire

/// Measures the quality of each version of a site's radio map once, and finds where surveyors
/// should stand next.
///
/// This takes up to a minute of one core, so it starts when the map has not changed for a while.
struct QualityKeeper: Sendable {
    private static let longWork = LongWork("map-quality")

    let sites: SiteDirectory
    let notices: Notices
    let pool: PostgresPool
    let maps: RadioMapStore
    let store: QualityStore
    let quiet: Duration
    let changes: ChangeCounter

    /// Keeps the stored quality up to date until the task is cancelled.
    func run() async {
        await attemptUntilDone("Measuring the quality of radio maps", notices: notices) { retry in
            while !Task.isCancelled {
                let count = changes.count
                let isSettled = try await keepWhatIsDue()
                retry.ended()
                try? await Task.sleep(for: .seconds(1))
                if isSettled { await changes.rest(since: count) }
            }
        }
    }

    /// - Returns: whether only a change makes another map due.
    private func keepWhatIsDue() async throws -> Bool {
        var isSettled = true
        for due in try await store.due(quiet: quiet) {
            guard let published = sites[whole: due.site] else { continue }
            isSettled = false
            guard due.isQuiet, let map = try await maps.map(due.hash) else { continue }
            let choice = try PositionerChosen(json: due.choice).positioner
            let documents = await Self.longWork.run {
                QualityDocuments(due, map: map, site: published.index, choice: choice)
            }
            guard let documents else { return false }
            try await store.keep(documents)
        }
        return isSettled
    }
}
