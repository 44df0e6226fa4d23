import Glibc
import Synchronization

/// Waits for SIGTERM or SIGINT. Create it before anything else: an earlier signal ends the process
/// without a clean stop. A second signal ends the process at once.
public final class StopSignals: Sendable {
    private struct State {
        var signal: String?
        var waiters: [AsyncStream<String>.Continuation] = []
        var key: Int?
    }

    private let state = Mutex(State())

    /// Registers the signals. After it returns, no SIGTERM or SIGINT is lost.
    public init() {
        let key = SignalPipe.shared.listen { [weak self] number in
            guard let self else { return }
            if !self.note(number == SIGTERM ? "SIGTERM" : "SIGINT") { _exit(128 + number) }
        }
        state.withLock { $0.key = key }
    }

    deinit {
        if let key = state.withLock({ $0.key }) { SignalPipe.shared.forget(key) }
    }

    /// Waits for the first signal and returns its name. Nil when the waiting task was cancelled.
    public func wait() async -> String? {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let early = state.withLock { state in
            if state.signal == nil { state.waiters.append(continuation) }
            return state.signal
        }
        if let early { return early }
        for await name in stream { return name }
        return nil
    }

    /// Acts like a first signal, for tests and for programs that end by themselves.
    public func stop(because reason: String) { _ = note(reason) }

    /// Notes a signal. Returns false when it was not the first.
    private func note(_ name: String) -> Bool {
        let waiters: [AsyncStream<String>.Continuation]? = state.withLock { state in
            guard state.signal == nil else { return nil }
            state.signal = name
            defer { state.waiters = [] }
            return state.waiters
        }
        guard let waiters else { return false }
        for waiter in waiters {
            waiter.yield(name)
            waiter.finish()
        }
        return true
    }
}
