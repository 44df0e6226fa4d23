import EventLog
import FaultPoints
import Kafka
import Synchronization

/// Commits outputs and offsets in transactions under one id, one after the other. One thread uses
/// it.
///
/// A producer that is lost is made again with the same transactional id: that ends whatever the
/// lost one left open.
final class TransactionalProducer {
    /// How long the brokers may take for one step; the transaction itself lives for 5 s.
    private static let step = Duration.seconds(5)
    /// How long a commit whose answer does not come is asked about again.
    private static let patience = Duration.seconds(30)
    private static let flushing = Duration.seconds(1)
    /// Between two polls of the member, of which the group wants one each ten seconds.
    private static let preparation = Duration.seconds(1)

    private let settings: [String: String]
    private let observer: KafkaObserver
    private var producer: Producer?
    /// One that the brokers do not know yet.
    private var candidate: Producer?

    init(id: String, settings: KafkaLogSettings, observer: KafkaObserver) {
        self.settings = settings.transactions(id: id)
        self.observer = observer
    }

    /// The brokers know the producer, so nothing is open that an earlier one of its id has left.
    var isPrepared: Bool { producer != nil }

    /// Makes the producer known to the brokers, if it is not.
    func prepare() throws(KafkaError) { _ = try prepared(within: Self.preparation) }

    /// Serves statistics and logs.
    func poll() { producer?.poll() }

    /// All or nothing; after an error nothing of it is there, unless it is `unknownOutcome`.
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
            // The same call goes on where it was, if it is called again.
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
            // Makes room, if that is what is missing.
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
        // An abort throws away what is in flight, and librdkafka 2.0 then trips over the gap in the
        // sequence in the next transaction; so what is in flight may arrive first.
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

    /// A transaction that the brokers rolled back may succeed when it is tried again, unless the
    /// error itself says otherwise.
    private func rolledBack(_ error: KafkaError) -> EventLogError {
        let known = EventLogError(error)
        guard known.code == .other, error.requiresAbort else { return known }
        return EventLogError(.unavailable, known.reason)
    }
}

/// The gravest failure among the messages of a transaction, known once all reports are in: the end
/// of a transaction, commit or abort, waits for that.
private final class DeliveryReports {
    let delivery: Delivery?
    private let gravest: Gravest

    /// Safe to share: behind a lock.
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
        // What an abort threw away says nothing of its cause.
        guard !purged.contains(failure.error.code) else { return nil }
        let error = EventLogError(failure)
        // The transaction was rolled back, so the outcome is known.
        return error.code == .unknownOutcome ? EventLogError(.unavailable, error.reason) : error
    }
}
