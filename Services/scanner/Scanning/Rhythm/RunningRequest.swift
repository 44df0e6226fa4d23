import Synchronization

/// A request's work, which can be cancelled before or while it runs.
final class RunningRequest: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func run(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { if !Task.isCancelled { await work() } }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        await task.value
        state.withLock { $0.task = nil }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
