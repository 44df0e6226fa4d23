import Synchronization

/// Lets tasks wait for a change of one thing among many. A change wakes only those who wait for it,
/// and no thread is held.
final class Waits<Key: Hashable & Sendable>: Sendable {
    private struct Waiter {
        var continuation: CheckedContinuation<Void, Never>
        var timer: Task<Void, Never>
    }

    private struct State {
        var next: UInt64 = 0
        var waiters: [Key: [UInt64: Waiter]] = [:]
    }

    private let state = Mutex(State())

    /// Wakes who waits for this key. Call it after the change.
    func changed(_ key: Key) {
        let woken = state.withLock { $0.waiters.removeValue(forKey: key) }
        for waiter in (woken ?? [:]).values { Self.resume(waiter) }
    }

    /// Waits until the condition holds, the time is over or the task is cancelled.
    func wait(for key: Key, atMost: Duration, until isSo: @Sendable () -> Bool) async {
        let end = ContinuousClock.now.advanced(by: atMost)
        while !isSo(), !Task.isCancelled, ContinuousClock.now < end {
            await once(key, end, isSo)
        }
    }

    private func once(
        _ key: Key, _ end: ContinuousClock.Instant, _ isSo: @Sendable () -> Bool
    ) async {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let timer = Task { [weak self] in
                    try? await Task.sleep(until: end, clock: .continuous)
                    self?.resume(key, id)
                }
                state.withLock {
                    $0.waiters[key, default: [:]][id] = Waiter(
                        continuation: continuation, timer: timer)
                }
                // The change, the end or the cancellation may have come before the entry.
                if isSo() || Task.isCancelled || ContinuousClock.now >= end { resume(key, id) }
            }
        } onCancel: {
            resume(key, id)
        }
    }

    private func resume(_ key: Key, _ id: UInt64) {
        let waiter = state.withLock { state in
            let waiter = state.waiters[key]?.removeValue(forKey: id)
            if state.waiters[key]?.isEmpty == true { state.waiters[key] = nil }
            return waiter
        }
        if let waiter { Self.resume(waiter) }
    }

    private static func resume(_ waiter: Waiter) {
        waiter.timer.cancel()
        waiter.continuation.resume()
    }
}
