import Kafka
import Synchronization

/// Reports faults that answer no call. The same error is reported at most every 30 s, however many
/// connections and clients meet it. It also reports once when no broker can be reached, and once
/// when they answer again.
final class Complaints: Sendable {
    private static let pause = Duration.seconds(30)

    private struct State {
        var lastTold: [KafkaError.Code: ContinuousClock.Instant] = [:]
        var toldOnce: Set<String> = []
        /// The last time a client reported that no broker can be reached. Nil when one has answered
        /// since.
        var awaySince: ContinuousClock.Instant?
    }

    let report: @Sendable (String) -> Void
    private let reportRecovery: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(
        _ report: @escaping @Sendable (String) -> Void,
        onRecovery reportRecovery: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.report = report
        self.reportRecovery = reportRecovery
    }

    /// Reports a lasting fault once, such as a setting that an operator has to change.
    func once(_ sentence: String) {
        if state.withLock({ $0.toldOnce.insert(sentence).inserted }) { report(sentence) }
    }

    func about(_ error: KafkaError, _ what: String) {
        if error.code == .allBrokersDown { return noteNoneReachable() }
        let now = ContinuousClock.now
        let isNews = state.withLock { state in
            // This broker is part of the outage of all brokers, which is already reported.
            if state.awaySince != nil, error.code == .transport { return false }
            if let last = state.lastTold[error.code], now - last < Self.pause { return false }
            state.lastTold[error.code] = now
            return true
        }
        if isNews { report("\(what): \(error)") }
    }

    /// Notes that a client can reach no broker. Each client of the process reports this itself, and
    /// counts several names of one broker as several brokers.
    private func noteNoneReachable() {
        let isNews = state.withLock { state in
            defer { state.awaySince = .now }
            return state.awaySince == nil
        }
        if isNews { report("Kafka: no broker can be reached; they are tried until one answers.") }
    }

    /// Notes that a broker has answered a query that began at this time.
    func heard(sinceAsking began: ContinuousClock.Instant) {
        let isNews = state.withLock { state in
            guard let away = state.awaySince, away < began else { return false }
            state.awaySince = nil
            return true
        }
        if isNews { reportRecovery("Kafka works again: its brokers answer.") }
    }

    /// The observer for clients of the log. librdkafka's log lines repeat its errors, so only the
    /// gravest are reported (syslog levels 0 to 2).
    func observer(statistics: @escaping @Sendable (_ json: String) -> Void) -> KafkaObserver {
        KafkaObserver(
            log: { [report] level, message in if level < 3 { report("Kafka: \(message)") } },
            error: { [self] in about($0, "Kafka") }, statistics: statistics)
    }
}
