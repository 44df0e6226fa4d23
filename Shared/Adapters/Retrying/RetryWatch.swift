import Synchronization

/// Knows which long-running work is failing, and raises an alarm when work fails for longer than 30
/// s. It checks the clock by itself, so an attempt that hangs raises an alarm too.
public final class RetryWatch: Sendable {
    /// How long work may fail before the alarm.
    public static let patience = Duration.seconds(30)
    private static let lookInterval = Duration.seconds(1)

    /// A fault that an operator should know at once.
    public struct Alarm: Hashable, Sendable {
        /// The failing work, such as "Reading whereabouts.site".
        public var work: String
        public var reason: String
        /// Whether only a restart of the program ends the fault.
        public var isFinal: Bool
    }

    private struct Open {
        var work: String
        var since: ContinuousClock.Instant
        var reason: String
        var isTold = false
    }

    private struct State {
        var open: [Int: Open] = [:]
        var count = 0
        var stopped: Set<String> = []
    }

    private let patience: Duration
    private let onAlarm: @Sendable (Alarm) -> Void
    private let onEnd: @Sendable (_ work: String) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - onAlarm: called once when work has failed for too long or has stopped for good.
    ///   - onEnd: called when that work works again.
    public init(
        patience: Duration = RetryWatch.patience, onAlarm: @escaping @Sendable (Alarm) -> Void,
        onEnd: @escaping @Sendable (_ work: String) -> Void
    ) {
        self.patience = patience
        self.onAlarm = onAlarm
        self.onEnd = onEnd
    }

    /// Checks each second until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            look(at: .now)
            try? await Task.sleep(for: Self.lookInterval)
        }
    }

    /// Raises the alarms that are due at this time.
    public func look(at now: ContinuousClock.Instant) {
        let alarms = state.withLock { state in
            // Several failures of the same work make one alarm.
            var told = Set(state.open.values.filter(\.isTold).map(\.work)).union(state.stopped)
            var due: [Alarm] = []
            for (id, open) in state.open where !open.isTold && now - open.since >= patience {
                state.open[id]?.isTold = true
                guard told.insert(open.work).inserted else { continue }
                due.append(Alarm(work: open.work, reason: open.reason, isFinal: false))
            }
            return due
        }
        for alarm in alarms { onAlarm(alarm) }
    }

    /// Reports that work has stopped for good. The alarm stays until the process ends.
    public func stopped(_ work: String, reason: String) {
        let isNews = state.withLock { $0.stopped.insert(work).inserted }
        if isNews { onAlarm(Alarm(work: work, reason: reason, isFinal: true)) }
    }

    public func hasStopped(_ work: String) -> Bool { state.withLock { $0.stopped.contains(work) } }

    func began(_ work: String, reason: String) -> Int {
        state.withLock { state in
            state.count += 1
            state.open[state.count] = Open(work: work, since: .now, reason: reason)
            return state.count
        }
    }

    func ended(_ id: Int) {
        let over = state.withLock { state -> String? in
            guard let open = state.open.removeValue(forKey: id), open.isTold,
                !state.stopped.contains(open.work),
                !state.open.values.contains(where: { $0.isTold && $0.work == open.work })
            else { return nil }
            return open.work
        }
        if let over { onEnd(over) }
    }
}
