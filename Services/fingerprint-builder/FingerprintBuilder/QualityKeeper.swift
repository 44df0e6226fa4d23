import Dispatch
import EventLog
import Events
import Positioning
import Postgres
import RadioMapCare
import ServiceHost
import Site
import Synchronization
import Wire

/// Works out, once for each version of a site's radio map, how good the map is and where surveyors
/// should stand next. It takes up to a minute of one core, so it waits until the map has not changed
/// for a while.
struct QualityKeeper: Sendable {
    /// The work has a thread of its own: the pool of tasks answers requests.
    private static let queue = DispatchQueue(label: "map-quality", qos: .utility)

    let host: Host
    let pool: PostgresPool
    let maps: RadioMapStore
    let store: QualityStore
    let quiet: Duration

    /// Keeps what is stored up to date until the task is cancelled.
    func run() async {
        await host.untilDone("Working out how good radio maps are") { outage in
            while !Task.isCancelled {
                try await keepWhatIsDue()
                outage.ended()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func keepWhatIsDue() async throws {
        for due in try await store.due(quiet: quiet) {
            guard let published = host.sites[due.site],
                let bytes = try await maps.artifact(due.hash)
            else { continue }
            let map = try RadioMapArtifact.decode(bytes)
            let choice = try PositionerChosen(json: due.choice).positioner
            guard let documents = await work(due, map, published.index, choice) else { return }
            try await store.keep(documents)
        }
    }

    /// Nil when the task is cancelled meanwhile: then nobody waits for what the queue still does.
    private func work(
        _ due: QualityStore.Due, _ map: RadioMap, _ site: SiteIndex, _ choice: String
    ) async -> QualityDocuments? {
        let answer = OneAnswer()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                Self.queue.async {
                    answer.give(
                        answer.isGiven
                            ? nil : QualityDocuments(due, map: map, site: site, choice: choice))
                }
            }
        } onCancel: {
            answer.give(nil)
        }
    }
}

/// A continuation that is resumed once, by whoever is first.
private final class OneAnswer: Sendable {
    private struct State {
        var continuation: CheckedContinuation<QualityDocuments?, Never>?
        var isGiven = false
    }

    private let state = Mutex(State())

    var isGiven: Bool { state.withLock { $0.isGiven } }

    func wait(_ continuation: CheckedContinuation<QualityDocuments?, Never>) {
        let isGiven = state.withLock { state in
            if !state.isGiven { state.continuation = continuation }
            return state.isGiven
        }
        if isGiven { continuation.resume(returning: nil) }
    }

    func give(_ documents: QualityDocuments?) {
        let continuation = state.withLock { state in
            state.isGiven = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: documents)
    }
}
