import Kafka
import Synchronization

/// Tells what is wrong that is no answer to a call: the same error once in a while and not for each
/// connection and each client that meets it.
final class Complaints: Sendable {
    private static let pause = Duration.seconds(30)

    private let tell: @Sendable (String) -> Void
    private let lastTold = Mutex<[KafkaError.Code: ContinuousClock.Instant]>([:])

    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func about(_ error: KafkaError, _ what: String) {
        let now = ContinuousClock.now
        let isNews = lastTold.withLock { lastTold in
            if let last = lastTold[error.code], now - last < Self.pause { return false }
            lastTold[error.code] = now
            return true
        }
        if isNews { tell("\(what): \(error)") }
    }

    /// For clients of the log. librdkafka's log lines repeat what its errors say, except the gravest
    /// (syslog levels 0 to 2).
    func observer(statistics: @escaping @Sendable (_ json: String) -> Void) -> KafkaObserver {
        KafkaObserver(
            log: { [tell] level, message in if level < 3 { tell("Kafka: \(message)") } },
            error: { [self] in about($0, "Kafka") }, statistics: statistics)
    }
}
