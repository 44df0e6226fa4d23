import EventLog
import FaultPoints
import Kafka
import Synchronization

/// Commits outputs and offsets in transactions under one id, one after the other. One thread uses
/// it.
///
/// A lost producer is replaced by one with the same transactional id. That ends the open
/// transaction of the lost one.
final class TransactionalProducer {
    /// The time limit for one step with the brokers. The transaction itself lives for 5 s.
    private static let step = Duration.seconds(5)
    /// How long a commit without an answer is repeated.
    private static let patience = Duration.seconds(30)
    private static let flushing = Duration.seconds(1)
    /// The time limit for initializing between two polls of the member. The group expects a poll
    /// every ten seconds.
    private static let preparation = Duration.seconds(1)

    private let settings: [String: String]
    private let observer: KafkaObserver
    private var producer: Producer?
    /// A producer that the brokers do not know yet.
    private var candidate: Producer?

    init(id: String, settings: KafkaLogSettings, observer: KafkaObserver) {
        self.settings = settings.transactions(id: id)
        self.observer = observer
    }

    /// Whether the brokers know the producer, so that no older transaction of its id is open.
    var isPrepared: Bool { producer != nil }

    /// Initializes the producer at the brokers, if that is still to be done.
    func prepare() throws(KafkaError) { _ = try prepared(within: Self.preparation) }

    /// Serves statistics and log lines.
    func poll() { producer?.poll() }

    /// Commits all or nothing. After an error nothing was committed, except perhaps
    /// after `unknownOutcome`.
    func commit(
        _ outputs: [LogRecord], _ offsets: [PartitionOffset], of group: GroupMetadata
    ) throws(EventLogError) {
        let reports = DeliveryReports(count: outputs.count)
        let producer = try asLogErrors { () throws(KafkaError) in try prepared() }
        do throws(KafkaError) {
            try producer.beginTransaction()
            for record in outputs { try queue(record, producer, reports.delivery) }
            if !offsets.isEmpty {
                try retrying(for: Self.step) { () throws(KafkaError) in
                    try producer.sendOffsets(offsets, of: group, Self.step)
                }
            }
        } catch {
            abort(producer, after: error)
            throw reports.failure ?? rolledBack(error)
        }
        FaultPoint.insideTransaction.reached()
        do throws(KafkaError) {
            try retrying(for: Self.patience) { () throws(KafkaError) in
                try producer.commitTransaction(Self.step)
            }
        } catch {
            guard !error.isRetriable || error.requiresAbort || error.isFatal else {
                drop()
                throw EventLogError(.unknownOutcome, error.description)
            }
            abort(producer, after: error)
            throw reports.failure ?? rolledBack(error)
        }
    }

    func close() { drop() }

    private func prepared(
        within limit: Duration = TransactionalProducer.step
    ) throws(KafkaError) -> Producer {
        if let producer { return producer }
        let made: Producer
        if let candidate {
            made = candidate
        } else {
            made = try Producer(settings: settings, observer: observer, pollsItself: false)
        }
        candidate = made
        do throws(KafkaError) {
            try retrying(for: limit) { () throws(KafkaError) in
                try made.initializeTransactions(limit)
            }
        } catch {
            // After a retriable error the next call goes on with the same producer.
            if !error.isRetriable || error.isFatal { drop() }
            throw error
        }
        (producer, candidate) = (made, nil)
        return made
    }

    private func queue(
        _ record: LogRecord, _ producer: Producer, _ delivery: Delivery?
    ) throws(KafkaError) {
        guard let delivery else { return }
        try retrying(for: Self.step) { () throws(KafkaError) in
            guard let error = producer.produce(record, delivery: delivery) else { return }
            // Serves delivery reports, which makes room if the queue was full.
            producer.poll(.milliseconds(10))
            throw error
        }
    }

    private func retrying(
        for limit: Duration, _ body: () throws(KafkaError) -> Void
    ) throws(KafkaError) {
        let deadline = ContinuousClock.now + limit
        while true {
            do throws(KafkaError) {
                return try body()
            } catch {
                guard error.isRetriable, ContinuousClock.now < deadline else { throw error }
            }
        }
    }

    private func abort(_ producer: Producer, after error: KafkaError) {
        guard !error.isFatal, producer.fatalError == nil else { return drop() }
        // An abort discards messages in flight. librdkafka 2.0 then fails in the next transaction,
        // because of the gap in the sequence. So messages in flight may arrive first.
        try? producer.flush(Self.flushing)
        do throws(KafkaError) {
            try retrying(for: Self.step) { () throws(KafkaError) in
                try producer.abortTransaction(Self.step)
            }
        } catch {
            drop()
        }
    }

    private func drop() {
        producer?.close(wait: .zero)
        candidate?.close(wait: .zero)
        (producer, candidate) = (nil, nil)
    }

    /// Maps the error of a rolled-back transaction. A retry may succeed, unless the error itself
    /// excludes that.
    private func rolledBack(_ error: KafkaError) -> EventLogError {
        let known = EventLogError(error)
        guard known.code == .other, error.requiresAbort else { return known }
        return EventLogError(.unavailable, known.reason)
    }
}

/// The gravest delivery failure among a transaction's messages. It is known once all reports are
/// in. Both commit and abort wait for them.
private final class DeliveryReports {
    let delivery: Delivery?
    private let gravest: Gravest

    /// Safe to share: a lock guards the failure.
    private final class Gravest: Sendable {
        let failure = Mutex<Delivery.Failure?>(nil)
    }

    init(count: Int) {
        let gravest = Gravest()
        self.gravest = gravest
        delivery =
            count == 0
            ? nil : Delivery(of: count) { failure in gravest.failure.withLock { $0 = failure } }
    }

    var failure: EventLogError? {
        guard let failure = gravest.failure.withLock({ $0 }) else { return nil }
        let purged: Set = [KafkaError.Code.purgedFromQueue, .purgedInFlight]
        // A message that the abort discarded gives no reason for the abort.
        guard !purged.contains(failure.error.code) else { return nil }
        let error = EventLogError(failure)
        // The transaction was rolled back, so the outcome is known.
        return error.code == .unknownOutcome ? EventLogError(.unavailable, error.reason) : error
    }
}
