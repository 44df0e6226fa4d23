import Dispatch
import EventLog
import Events
import Positioning
import ServiceHost
import Wire

/// Lets each new radio map choose the positioner that locates its own scans best. Positions go on
/// meanwhile with the choice of the map before.
struct PositionerChooser: Sendable {
    let host: Host
    let store: RadioMapStore

    /// Chooses until the task is cancelled.
    func run() async {
        await host.untilDone("Choosing positioners") { outage in
            while !Task.isCancelled {
                for map in try await store.newestWithoutChoice() {
                    try await choose(for: map.site, version: map.version, hash: map.hash)
                }
                outage.ended()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func choose(for site: SiteID, version: Int, hash: String) async throws {
        guard let artifact = try await store.artifact(hash) else { return }
        let map = try RadioMapArtifact.decode(artifact)
        // It keeps a processor busy for seconds, which must not be one of the cooperative pool's.
        let choice = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .background).async {
                continuation.resume(returning: PositionerChoice(for: map))
            }
        }
        let chosen = PositionerChosen(
            site: site, radioMapVersion: version, hash: hash, positioner: choice.positioner,
            meanErrorMetres: choice.meanErrorMetres, floorHit: choice.floorHit, chosenAt: host.now)
        try await store.publish(chosen, source: MapBuilder.source)
    }
}
