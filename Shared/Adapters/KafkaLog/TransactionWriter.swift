import EventLog
import Kafka

/// Commits outputs and offsets in transactions, one after the other. One thread uses it.
///
/// The answer to a commit decides the transaction. After that the brokers still write markers into
/// its partitions. A new transaction under the same id is refused meanwhile, and librdkafka retries
/// 20 to 100 ms later. So transactions alternate between a few ids: while the brokers finish one,
/// the next runs under another id (docs/decisions/0021).
final class TransactionWriter {
    /// The member's name, which each commit stores for successors (`FormerOwners`).
    let name: MemberName
    private let producers: [TransactionalProducer]
    private var turn = 0

    init(name: MemberName, settings: KafkaLogSettings, observer: KafkaObserver) {
        self.name = name
        producers = name.transactionalIDs.map {
            TransactionalProducer(id: $0, settings: settings, observer: observer)
        }
    }

    /// Whether the brokers know all producers, so that no older transaction of their ids is open.
    var isPrepared: Bool { producers.allSatisfy(\.isPrepared) }

    /// Initializes the producers that the brokers do not know yet.
    func prepare() throws(KafkaError) {
        for producer in producers { try producer.prepare() }
    }

    /// Serves statistics and log lines.
    func poll() {
        for producer in producers { producer.poll() }
    }

    /// Commits all or nothing. After an error nothing was committed, except after
    /// `unknownOutcome` perhaps.
    /// The previous transaction is already decided, because each commit waits for its answer.
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
