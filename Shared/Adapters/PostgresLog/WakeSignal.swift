import Synchronization

/// What one waiting task waits on. A wake-up that comes while nobody waits is kept for the next
/// wait.
final class WakeSignal: Sendable {
    private struct State {
        var isAwake = false
        var groupChanged = false
        var othersNews = OthersNews()
        var waits = 0
        /// The last wait whose time is over, which may be before it began to wait.
        var expired = 0
        var waiter: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    func wake() { wake { $0.isAwake = true } }

    /// Another process has appended to the partitions.
    func wakeForOthers(_ partitions: Set<PartitionKey>) {
        wake {
            $0.isAwake = true
            $0.othersNews.partitions.formUnion(partitions)
        }
    }

    func wakeForGroup() {
        wake {
            $0.isAwake = true
            $0.groupChanged = true
            $0.othersNews.mayBeAnywhere = true
        }
    }

    /// Where others have appended since this was last asked.
    func takeOthersNews() -> OthersNews {
        state.withLock { state in
            defer { state.othersNews = OthersNews() }
            return state.othersNews
        }
    }

    /// Whether the group changed since this was last asked.
    func takeGroupChange() -> Bool {
        state.withLock { state in
            defer { state.groupChanged = false }
            return state.groupChanged
        }
    }

    /// Returns at a wake-up, at the end of the time, or when the task is cancelled.
    func wait(for limit: Duration) async {
        let number = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        let timer = Task { [weak self] in
            try await Task.sleep(for: limit)
            self?.expire(number)
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAwake = state.withLock { state in
                    if state.isAwake || Task.isCancelled || state.expired == number {
                        state.isAwake = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isAwake { continuation.resume() }
            }
        } onCancel: {
            expire(number)
        }
    }

    private func wake(_ mark: (inout State) -> Void) {
        let waiter = state.withLock { state in
            mark(&state)
            guard let waiter = state.waiter else { return nil as CheckedContinuation<Void, Never>? }
            state.waiter = nil
            state.isAwake = false
            return waiter
        }
        waiter?.resume()
    }

    private func expire(_ number: Int) {
        let waiter = state.withLock { state in
            guard state.waits == number else { return nil as CheckedContinuation<Void, Never>? }
            state.expired = number
            guard let waiter = state.waiter else { return nil }
            state.waiter = nil
            return waiter
        }
        waiter?.resume()
    }
}

/// Where other processes have appended.
struct OthersNews: Sendable {
    /// May hold more than whoever is told follows.
    var partitions: Set<PartitionKey> = []
    /// Something may have been missed.
    var mayBeAnywhere = false

    mutating func add(_ other: OthersNews) {
        partitions.formUnion(other.partitions)
        mayBeAnywhere = mayBeAnywhere || other.mayBeAnywhere
    }
}
