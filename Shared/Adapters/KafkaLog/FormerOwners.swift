import EventLog
import Kafka

/// Ends what dead members have left open, so that their successors need not wait for it.
///
/// The brokers end an abandoned transaction within its time-out of 5 s and their own interval of
/// 10 s, and until then nobody learns what the group has committed. Each commit therefore notes its
/// transactional id beside the offset. Whoever makes that id known anew has the brokers end its
/// transaction at once, and fences its owner should that still live (KIP-98).
struct FormerOwners {
    private static let wait = Duration.seconds(3)

    let group: String
    let settings: KafkaLogSettings
    let observer: KafkaObserver

    /// Fences all who committed the partitions last, but not this member itself.
    func fence(_ partitions: some Sequence<TopicPartition>, sparing own: String) throws(KafkaError)
    {
        let administrator = try Administrator(
            settings: settings.administrator, observer: observer)
        let places = partitions.map {
            PartitionOffset(
                topic: $0.topic, partition: $0.partition, offset: PartitionOffset.none)
        }
        let committed = try administrator.committed(
            group: group, places, ignoringPending: true, Self.wait)
        for id in Set(committed.compactMap(\.metadata))
        where id != own && id.hasPrefix("\(group)-") {
            let producer = try Producer(
                settings: settings.transactions(id: id), observer: observer, pollsItself: false)
            defer { producer.close(wait: .zero) }
            try producer.initializeTransactions(Self.wait)
        }
    }
}
