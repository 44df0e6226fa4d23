import EventLog
import Events
import Positioning
import Retrying
import ServiceHost
import Threads
import Wire

/// Lets each new radio map choose the positioner that locates its own scans best, once the map has
/// not changed for a while. Until then positions are estimated with the choice of the map before.
struct PositionerChooser: Sendable {
    private static let longWork = LongWork("choose-positioner")

    let clock: EventClock
    let notices: Notices
    let store: RadioMapStore
    let quiet: Duration
    let changes: ChangeCounter

    func run() async {
        await attemptUntilDone("Choosing positioners", notices: notices) { retry in
            while !Task.isCancelled {
                let count = changes.count
                let maps = try await store.newestWithoutChoice(quiet: quiet)
                for map in maps where map.isDue {
                    try await choose(for: map.site, version: map.version, hash: map.hash)
                }
                retry.ended()
                try? await Task.sleep(for: .seconds(1))
                if maps.isEmpty { await changes.rest(since: count) }
            }
        }
    }

    private func choose(for site: SiteID, version: Int, hash: String) async throws {
        guard let map = try await store.map(hash) else { return }
        guard let choice = await Self.longWork.run({ PositionerChoice(for: map) }) else { return }
        let chosen = PositionerChosen(
            site: site, radioMapVersion: version, hash: hash, positioner: choice.positioner,
            meanErrorMetres: choice.meanErrorMetres, floorHit: choice.floorHit, chosenAt: clock.now)
        try await store.publish(chosen, source: MapBuilder.source)
        changes.add()
    }
}
