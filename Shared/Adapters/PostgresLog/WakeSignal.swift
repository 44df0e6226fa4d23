import Synchronization

/// A signal that one task waits for. A wake-up that comes while no task waits is kept for the next
/// wait.
///
/// A busy log wakes a signal hundreds of times a second, so a wait does not create its own timer.
/// The signal keeps one timer. When it fires for a wait that is over, it is set again for the
/// current wait.
final class WakeSignal: Sendable {
    private struct State {
        var isAwake = false
        var groupChanged = false
        var othersNews = OthersNews()
        var waits = 0
        /// The number of the last cancelled wait. The cancellation may precede the wait itself.
        var cancelled = 0
        var waiter: CheckedContinuation<Void, Never>?
        /// The time at which the current wait ends.
        var deadline = ContinuousClock.now
        /// The time at which the timer fires. Nil when there is no timer.
        var timerDue: ContinuousClock.Instant?
        /// The number of timers set so far. Only the last one counts.
        var timers = 0
    }
    private struct Timer {
        var number: Int
        var due: ContinuousClock.Instant
    }
    private let state = Mutex(State())

    func wake() { wake { $0.isAwake = true } }

    /// Wakes the task because another process has appended to the partitions.
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

    /// Returns and clears the notifications of other processes' appends.
    func resetOthersNews() -> OthersNews {
        state.withLock { state in
            defer { state.othersNews = OthersNews() }
            return state.othersNews
        }
    }

    /// Whether the group changed since the last call. Resets the flag.
    func resetGroupChange() -> Bool {
        state.withLock { state in
            defer { state.groupChanged = false }
            return state.groupChanged
        }
    }

    /// Returns at a wake-up, after the time limit, or when the task is cancelled.
    func wait(for limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        let number = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, timer) = state.withLock { state -> (Bool, Timer?) in
                    if state.isAwake || Task.isCancelled || state.cancelled == number
                        || deadline <= .now
                    {
                        state.isAwake = false
                        return (true, nil)
                    }
                    // Both are set under one lock, or the timer could fire before there is a
                    // waiter.
                    state.waiter = continuation
                    state.deadline = deadline
                    return (false, Self.newTimer(&state))
                }
                if isOver { continuation.resume() }
                if let timer { start(timer) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    private func wake(_ mark: (inout State) -> Void) {
        let waiter = state.withLock { state in
            mark(&state)
            guard state.waiter != nil else { return nil as CheckedContinuation<Void, Never>? }
            state.isAwake = false
            return state.waiter.take()
        }
        waiter?.resume()
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state in
            guard state.waits == number else { return nil as CheckedContinuation<Void, Never>? }
            state.cancelled = number
            return state.waiter.take()
        }
        waiter?.resume()
    }

    // MARK: The timer

    /// The timer to start for the latest wait. Nil when a running timer fires in time.
    private static func newTimer(_ state: inout State) -> Timer? {
        if let due = state.timerDue, due <= state.deadline { return nil }
        state.timers += 1
        state.timerDue = state.deadline
        return Timer(number: state.timers, due: state.deadline)
    }

    private func start(_ timer: Timer) {
        Task { [weak self] in
            try await Task.sleep(until: timer.due, clock: .continuous)
            self?.goOff(timer.number)
        }
    }

    private func goOff(_ number: Int) {
        let (waiter, next) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, Timer?) in
            // A later timer, set for an earlier time, has replaced this one.
            guard state.timers == number else { return (nil, nil) }
            state.timerDue = nil
            guard state.waiter != nil else { return (nil, nil) }
            if state.deadline <= .now { return (state.waiter.take(), nil) }
            return (nil, Self.newTimer(&state))
        }
        waiter?.resume()
        if let next { start(next) }
    }
}

/// The appends of other processes since the last query.
struct OthersNews: Sendable {
    /// The partitions. They may include some that the reader does not follow.
    var partitions: Set<PartitionKey> = []
    /// Whether a notification may have been lost, so that any partition may have new records.
    var mayBeAnywhere = false

    mutating func add(_ other: OthersNews) {
        partitions.formUnion(other.partitions)
        mayBeAnywhere = mayBeAnywhere || other.mayBeAnywhere
    }
}
