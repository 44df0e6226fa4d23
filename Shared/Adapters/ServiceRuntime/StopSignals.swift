import Dispatch
import Glibc
import Synchronization

/// Waits for SIGTERM or SIGINT. Make it before anything else: a signal that arrives earlier ends the
/// process unheard. A second signal ends the process at once.
public final class StopSignals: Sendable {
    private struct State {
        var signal: String?
        var waiters: [AsyncStream<String>.Continuation] = []
    }

    private let state = Mutex(State())
    // Safe: set once in init, and Dispatch's own objects may be used from any thread.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    public init() {
        // Else a peer that closes its connection while we write would end the process.
        signal(SIGPIPE, SIG_IGN)
        let numbers = [SIGTERM, SIGINT]
        sources = numbers.map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for (number, source) in zip(numbers, sources) {
            source.setEventHandler(handler: Self.handler(for: number, of: self))
            source.activate()
        }
    }

    deinit { for source in sources { source.cancel() } }

    /// The first signal's name; nil when the waiting task was cancelled.
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

    /// Acts as if the first signal had come: for tests, and for programs that end by themselves.
    public func stop(because reason: String) { _ = note(reason) }

    /// Returns false when it was not the first.
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

    // Formed in a nonisolated function, so that it never inherits the main actor from `main`.
    private nonisolated static func handler(
        for number: Int32, of signals: StopSignals
    ) -> @Sendable () -> Void {
        { [weak signals] in
            guard let signals else { return }
            if !signals.note(number == SIGTERM ? "SIGTERM" : "SIGINT") { _exit(128 + number) }
        }
    }
}
