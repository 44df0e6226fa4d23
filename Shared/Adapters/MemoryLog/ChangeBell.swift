import Synchronization

/// Wakes all tasks that wait for a change.
final class ChangeBell: Sendable {
    private struct State {
        var rings = 0
        var lastWaiter = 0
        /// The waiting tasks. An entry is nil until its task really waits.
        var waiters: [Int: CheckedContinuation<Void, Never>?] = [:]
    }

    private let state = Mutex(State())

    var rings: Int { state.withLock { $0.rings } }

    func ring() {
        let waiters = state.withLock { state in
            state.rings += 1
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter?.resume() }
    }

    /// Returns when the bell has rung more than `rings` times, at the deadline, or when the task is
    /// cancelled.
    func wait(after rings: Int, until deadline: ContinuousClock.Instant) async {
        let waiter = state.withLock { state -> Int? in
            guard state.rings == rings else { return nil }
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = .some(nil)
            return state.lastWaiter
        }
        guard let waiter else { return }
        let timer = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            end(waiter)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.waiters[waiter] != nil else { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end(waiter)
        }
        timer.cancel()
    }

    private func end(_ waiter: Int) {
        state.withLock { $0.waiters.removeValue(forKey: waiter) ?? nil }?.resume()
    }
}
