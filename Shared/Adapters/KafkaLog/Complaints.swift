import Kafka
import Retrying
import Synchronization

/// Reports Kafka's errors that are no answer to a call.
///
/// An error is reported once in 30 s, not for each connection and client that meets it. That no
/// broker can be reached, and that they answer again, is reported once for the process.
final class Complaints: Sendable {
    private struct State {
        var saidOnce: Set<String> = []
        /// When a client last reached no broker; nil when one has answered since.
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

    /// Reports a state that lasts until people change it.
    func once(_ sentence: String) {
        if state.withLock({ $0.saidOnce.insert(sentence).inserted }) { report(sentence) }
    }

    func about(_ error: KafkaError, _ what: String) {
        if error.code == .allBrokersDown { return noneAnswers() }
        // That no broker can be reached was reported already.
        if error.code == .transport, state.withLock({ $0.awaySince != nil }) { return }
        if case .admit = errors.decide(error.code) { report("\(what): \(error)") }
    }

    /// Every client of the process meets it, and counts two names of one broker as two brokers.
    private func noneAnswers() {
        let isNews = state.withLock { state in
            defer { state.awaySince = .now }
            return state.awaySince == nil
        }
        if isNews { report("Kafka: no broker can be reached; they are tried until one answers.") }
    }

    /// A broker has answered a question that was asked at `began`.
    func answered(sinceAsking began: ContinuousClock.Instant) {
        let isNews = state.withLock { state in
            guard let away = state.awaySince, away < began else { return false }
            state.awaySince = nil
            return true
        }
        if isNews { reportRecovery("Kafka works again: its brokers answer.") }
    }

    /// For clients of the log. librdkafka's log lines repeat what its errors say, except the
    /// gravest (syslog levels 0 to 2).
    func observer(statistics: @escaping @Sendable (_ json: String) -> Void) -> KafkaObserver {
        KafkaObserver(
            log: { [report] level, message in if level < 3 { report("Kafka: \(message)") } },
            error: { [self] in about($0, "Kafka") }, statistics: statistics)
    }
}
