import EventLog
import Kafka

/// Commits outputs and offsets in transactions, one after the other. One thread uses it.
///
/// A transaction is decided when its commit is answered; the brokers write its marks into the
/// partitions after that, and whoever begins the next one under the same id meanwhile is told to
/// come again, which librdkafka does 20 to 100 ms later. So the transactions take turns under a few
/// ids: while those of one are being marked, the next runs under another (docs/decisions/0021).
final class TransactionWriter {
    /// Each commit notes it, for those who come after (`FormerOwners`).
    let name: MemberName
    private let producers: [TransactionalProducer]
    private var turn = 0

    init(name: MemberName, settings: KafkaLogSettings, observer: KafkaObserver) {
        self.name = name
        producers = name.transactionalIDs.map {
            TransactionalProducer(id: $0, settings: settings, observer: observer)
        }
    }

    /// The brokers know the producers, so nothing is open that earlier ones of their ids have left.
    var isPrepared: Bool { producers.allSatisfy(\.isPrepared) }

    /// Makes the producers known to the brokers that are not.
    func prepare() throws(KafkaError) {
        for producer in producers { try producer.prepare() }
    }

    /// Serves statistics and logs.
    func poll() {
        for producer in producers { producer.poll() }
    }

    /// All or nothing; after an error nothing of it is there, unless it is `unknownOutcome`. The
    /// one before it has been decided by then, for good: nothing begins before that.
    func commit(
        _ outputs: [LogRecord], _ offsets: [PartitionOffset], of group: GroupMetadata
    ) throws(EventLogError) {
        defer { turn = (turn + 1) % producers.count }
        try producers[turn].commit(outputs, offsets, of: group)
    }

    func close() {
        for producer in producers { producer.close() }
    }
}
