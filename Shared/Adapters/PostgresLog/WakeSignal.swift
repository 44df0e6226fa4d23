import Synchronization

/// What one waiting task waits on. A wake-up that comes while nobody waits is kept for the next
/// wait.
///
/// A busy log wakes a signal hundreds of times in a second, so a wait does not make a timer of its
/// own: the signal keeps one, and when it goes off for a wait that is over it is set anew.
final class WakeSignal: Sendable {
    private struct State {
        var isAwake = false
        var groupChanged = false
        var othersNews = OthersNews()
        var waits = 0
        /// The last wait that was cancelled, which may be before it began to wait.
        var cancelled = 0
        var waiter: CheckedContinuation<Void, Never>?
        /// When the waiter's time is over.
        var deadline = ContinuousClock.now
        /// When the timer goes off; nil when there is none.
        var timerDue: ContinuousClock.Instant?
        /// Timers set so far: only the last counts.
        var timers = 0
    }
    private struct Timer {
        var number: Int
        var due: ContinuousClock.Instant
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
                    // Both at once: a timer that goes off before there is a waiter is gone.
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

    /// The timer to start for the latest wait; nil when one goes off in time anyway.
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
            // Another was set for an earlier time.
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
