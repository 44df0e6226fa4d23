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

    /// Keeps the stored quality up to date until the task is cancelled.
    func run() async {
        await attemptUntilDone("Measuring the quality of radio maps", notices: notices) { retry in
            while !Task.isCancelled {
                try await keepWhatIsDue()
                retry.ended()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func keepWhatIsDue() async throws {
        for due in try await store.due(quiet: quiet) {
            guard let published = sites[whole: due.site],
                let map = try await maps.map(due.hash)
            else { continue }
            let choice = try PositionerChosen(json: due.choice).positioner
            let documents = await Self.longWork.run {
                QualityDocuments(due, map: map, site: published.index, choice: choice)
            }
            guard let documents else { return }
            try await store.keep(documents)
        }
    }
}
