import Kafka
import Retrying
import Synchronization

/// Reports Kafka's errors that answer no call.
///
/// The same error is reported at most every 30 s, however many connections and clients meet it. An
/// outage of all brokers and its end are reported once for the process.
final class Complaints: Sendable {
    private struct State {
        var saidOnce: Set<String> = []
        /// The last time a client reached no broker. Nil when one has answered since.
        var awaySince: ContinuousClock.Instant?
    }

    let report: @Sendable (String) -> Void
    private let reportRecovery: @Sendable (String) -> Void
    private let errors = Occasional<KafkaError.Code>(1, per: .seconds(30))
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
        if state.withLock({ $0.saidOnce.insert(sentence).inserted }) { report(sentence) }
    }

    func about(_ error: KafkaError, _ what: String) {
        if error.code == .allBrokersDown { return noneAnswers() }
        // This broker is part of an outage of all brokers, which is already reported.
        if error.code == .transport, state.withLock({ $0.awaySince != nil }) { return }
        if case .admit = errors.decide(error.code) { report("\(what): \(error)") }
    }

    /// Notes that a client can reach no broker. Every client of the process reports this itself,
    /// and counts two names of one broker as two brokers.
    private func noneAnswers() {
        let isNews = state.withLock { state in
            defer { state.awaySince = .now }
            return state.awaySince == nil
        }
        if isNews { report("Kafka: no broker can be reached; they are tried until one answers.") }
    }

    /// Notes that a broker has answered a query that began at this time.
    func answered(sinceAsking began: ContinuousClock.Instant) {
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
