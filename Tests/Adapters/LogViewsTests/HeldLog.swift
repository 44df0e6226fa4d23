import EventLog
import Synchronization
import TestSupport

/// A log that delays every append until `letGo`.
final class HeldLog: ForwardingLog {
    private struct State {
        var isHeld = true
        var waiting: [@Sendable () -> Void] = []
        var isAsked = false
    }
    let base: any EventLog
    private let state = Mutex(State())

    init(_ base: any EventLog) { self.base = base }

    var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Carries out the waiting appends, and from now on every append at once.
    func letGo() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for append in waiting { append() }
    }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        let append: @Sendable () -> Void = { [base] in base.append(records, completion: completion)
        }
        let isHeld = state.withLock { state in
            state.isAsked = true
            if state.isHeld { state.waiting.append(append) }
            return state.isHeld
        }
        if !isHeld { append() }
    }
}
