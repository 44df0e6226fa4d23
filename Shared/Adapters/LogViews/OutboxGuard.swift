import Synchronization

/// Keeps changes away from tables that do not fit the log. A watch compares both and sets it; the
/// relay sends, and a service takes commands, only while they fit.
public final class OutboxGuard: Sendable {
    private struct State {
        /// Nil until both were compared.
        var fit: OutboxFit?
        var logID: String?
        /// The newest number that is known to be on the log.
        var newest: Int64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// The last result; nil until the tables and the log were compared.
    public var fit: OutboxFit? { state.withLock(\.fit) }
    public var fits: Bool { fit?.allowsChanges == true }

    public func set(_ fit: OutboxFit, logID: String?, newest: Int64) {
        state.withLock { $0 = State(fit: fit, logID: logID, newest: max(newest, $0.newest)) }
    }

    /// Forgets the numbers of a log that another one has replaced.
    public func forget() { state.withLock { $0 = State() } }

    /// Returns when the tables and the log fit, or when the task is cancelled.
    public func untilFitting() async {
        while !fits, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(100)) }
    }

    var newest: Int64 { state.withLock(\.newest) }

    func appended(_ number: Int64) {
        state.withLock { $0.newest = max($0.newest, number) }
    }

    /// Whether the tables are still those that were compared. An older database may be put in place
    /// while the services run.
    ///
    /// - Parameter mark: with `waits` of the newest number.
    func admits(_ mark: OutboxMark) -> Bool {
        state.withLock { state in
            guard state.fit?.allowsChanges == true else { return false }
            // Another process gave the log its id a moment ago.
            if state.fit == .new, state.logID == nil, mark.logID != nil { return false }
            let fit = OutboxFit(mark, logID: state.logID, newest: state.newest)
            guard fit.allowsChanges else {
                state.fit = nil
                return false
            }
            return true
        }
    }
}
