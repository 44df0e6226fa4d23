import Dispatch
import EventLog
import Kafka
import Synchronization

/// Appends records outside of transactions, through one idempotent producer. It creates a new
/// producer when librdkafka gives up the old one.
final class Appender: Sendable {
    typealias Completion = @Sendable (Result<Void, EventLogError>) -> Void

    private enum State {
        case open(Producer)
        case closed
    }

    private let state: Mutex<State>
    private let budget: AppendBudget
    private let limits: RecordLimits
    private let settings: [String: String]
    private let observer: KafkaObserver
    /// The queue for immediate refusals, because a completion never runs on the appending thread.
    private let refusals = DispatchQueue(label: "kafka-log-refusals")

    init(
        settings: [String: String], observer: KafkaObserver, budget: AppendBudget,
        limits: RecordLimits
    ) throws(KafkaError) {
        self.settings = settings
        self.budget = budget
        self.observer = observer
        self.limits = limits
        state = Mutex(.open(try Producer(settings: settings, observer: observer)))
    }

    /// - Parameter milliseconds: the records' own times, for topics that keep them.
    func append(
        _ records: [LogRecord], at milliseconds: [Int64]? = nil, completion: @escaping Completion
    ) {
        guard !records.isEmpty else { return refusals.async { completion(.success(())) } }
        guard case .open(let producer) = state.withLock({ $0 }) else {
            return refuse(.closed("the log"), completion)
        }
        let room = milliseconds == nil ? 0 : RecordLimits.roomOfRestore
        if let error = limits.violation(in: records, room: room) {
            return refuse(error, completion)
        }
        let count = records.count
        let bytes = records.reduce(0) { $0 + $1.byteCount }
        guard budget.reserve(messages: count, bytes: bytes) else {
            return refuse(
                EventLogError(
                    .backPressure, "\(budget.messageLimit) records at most may wait for the brokers"
                ),
                completion)
        }
        // Every message gets its report, so this closure keeps `self` alive only for a short time.
        let delivery = Delivery(of: count) { [self] failure in
            budget.giveBack(messages: count, bytes: bytes)
            guard let failure else { return completion(.success(())) }
            replaceIfUnusable(producer)
            completion(.failure(EventLogError(failure)))
        }
        for (index, record) in records.enumerated() {
            let time = milliseconds?[index] ?? 0
            guard
                let error = producer.produce(
                    record, timestampMilliseconds: time, delivery: delivery)
            else { continue }
            // The remaining records are not tried, because they must not overtake this one.
            refusals.async { delivery.refused(count - index, error) }
            return
        }
    }

    /// Waits for appended records, then fails the remaining ones. Blocks.
    func close(wait: Duration) {
        let producer = state.withLock { state -> Producer? in
            guard case .open(let producer) = state else { return nil }
            state = .closed
            return producer
        }
        producer?.close(wait: wait)
    }

    private func refuse(_ error: EventLogError, _ completion: @escaping Completion) {
        refusals.async { completion(.failure(error)) }
    }

    /// Replaces a producer that had a fatal error with a new one.
    private func replaceIfUnusable(_ producer: Producer) {
        guard producer.fatalError != nil else { return }
        let isReplaced = state.withLock { state in
            guard case .open(let current) = state, current === producer,
                let new = try? Producer(settings: settings, observer: observer)
            else { return false }
            state = .open(new)
            return true
        }
        guard isReplaced else { return }
        // Closed on another thread: closing waits for reports, and those come on this thread.
        refusals.async { producer.close(wait: .zero) }
    }
}

extension Producer {
    /// Queues a record. Returns nil on success, or an error.
    func produce(
        _ record: LogRecord, timestampMilliseconds: Int64 = 0, delivery: Delivery
    ) -> KafkaError? {
        let topic: Topic
        do throws(KafkaError) { topic = try self.topic(record.topic) } catch { return error }
        var headers: OutgoingHeaders?
        if !record.headers.isEmpty {
            let made = OutgoingHeaders(capacity: 8)
            record.headers.forEach({ name, value in made.append(name, value) })
            headers = consume made
        }
        return record.key.withUnsafeBytes { key in
            guard let value = record.value else {
                return produce(
                    topic, partition: record.partition, key: key, value: nil,
                    timestampMilliseconds: timestampMilliseconds, headers: headers.take(),
                    delivery: delivery)
            }
            return value.withUnsafeBytes { value in
                produce(
                    topic, partition: record.partition, key: key, value: value,
                    timestampMilliseconds: timestampMilliseconds, headers: headers.take(),
                    delivery: delivery)
            }
        }
    }
}
