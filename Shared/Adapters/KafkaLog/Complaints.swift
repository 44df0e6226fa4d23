import Kafka
import Synchronization

/// Tells what is wrong that is no answer to a call: the same error once in a while and not for each
/// connection and each client that meets it, and once that the brokers can't be reached and that
/// they answer again.
final class Complaints: Sendable {
    private static let pause = Duration.seconds(30)

    private struct State {
        var lastTold: [KafkaError.Code: ContinuousClock.Instant] = [:]
        var toldOnce: Set<String> = []
        /// When it was last heard that no broker can be reached; nil when one has answered since.
        var awaySince: ContinuousClock.Instant?
    }

    let tell: @Sendable (String) -> Void
    private let tellRecovery: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(
        _ tell: @escaping @Sendable (String) -> Void,
        onRecovery tellRecovery: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.tell = tell
        self.tellRecovery = tellRecovery
    }

    /// Of what stays as it is until people change it.
    func once(_ sentence: String) {
        if state.withLock({ $0.toldOnce.insert(sentence).inserted }) { tell(sentence) }
    }

    func about(_ error: KafkaError, _ what: String) {
        if error.code == .allBrokersDown { return heardOfNone() }
        let now = ContinuousClock.now
        let isNews = state.withLock { state in
            // All of them can't be reached, which was told.
            if state.awaySince != nil, error.code == .transport { return false }
            if let last = state.lastTold[error.code], now - last < Self.pause { return false }
            state.lastTold[error.code] = now
            return true
        }
        if isNews { tell("\(what): \(error)") }
    }

    /// Each client of the process says it for itself, and counts as brokers what are names of the
    /// same one.
    private func heardOfNone() {
        let isNews = state.withLock { state in
            defer { state.awaySince = .now }
            return state.awaySince == nil
        }
        if isNews { tell("Kafka: no broker can be reached; they are tried until one answers.") }
    }

    /// A broker has answered a question that was asked then.
    func heard(sinceAsking began: ContinuousClock.Instant) {
        let isNews = state.withLock { state in
            guard let away = state.awaySince, away < began else { return false }
            state.awaySince = nil
            return true
        }
        if isNews { tellRecovery("Kafka works again: its brokers answer.") }
    }

    /// For clients of the log. librdkafka's log lines repeat what its errors say, except the
    /// gravest (syslog levels 0 to 2).
    func observer(statistics: @escaping @Sendable (_ json: String) -> Void) -> KafkaObserver {
        KafkaObserver(
            log: { [tell] level, message in if level < 3 { tell("Kafka: \(message)") } },
            error: { [self] in about($0, "Kafka") }, statistics: statistics)
    }
}
