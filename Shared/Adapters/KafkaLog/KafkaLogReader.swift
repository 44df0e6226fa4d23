import EventLog
import Kafka
import Threads

/// Reads partitions without a group, on a thread of its own.
actor KafkaLogReader: LogReader {
    private let executor = ThreadExecutor(name: "kafka-reader")
    private let waker: Consumer.Waker
    private var consumer: Consumer?
    private var reading = MessageReading()
    private var failure: EventLogError?
    private var next: [TopicPartition: Int64]
    private let complaints: Complaints

    init(
        settings: KafkaLogSettings, observer: KafkaObserver, start: [TopicPartition: Int64],
        complaints: Complaints
    ) throws(KafkaError) {
        let consumer = try Consumer(settings: settings.reader, observer: observer)
        try consumer.assign(
            start.map {
                PartitionOffset(topic: $0.topic, partition: $0.partition, offset: $1)
            })
        self.consumer = consumer
        self.complaints = complaints
        waker = consumer.waker
        next = start
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func next(maximum: Int, wait: Duration) throws(EventLogError) -> [StoredRecord] {
        guard let consumer else { throw .closed("the reader") }
        if let failure { throw failure }
        let deadline = ContinuousClock.now + wait
        var records: [StoredRecord] = []
        var bytes = 0
        while records.count < maximum, bytes <= StoredRecord.batchBytes {
            let rest = records.isEmpty ? deadline - ContinuousClock.now : .zero
            switch consumer.poll(rest) {
            case .message(let message):
                let record = reading.record(message)
                // librdkafka 2.0 may deliver a record twice (its issue 4636, fixed in 2.4).
                guard record.offset >= next[record.topicPartition] ?? 0 else { continue }
                next[record.topicPartition] = record.offset + 1
                bytes += record.value?.count ?? 0
                records.append(record)
            case .endOfPartition(let end):
                next[TopicPartition(end.topic, end.partition)] = end.offset
            case .failed(let error, _):
                try failed(error, isFirst: records.isEmpty)
                if failure != nil { return records }
            default:
                return records
            }
        }
        return records
    }

    /// Handles an error of the consumer. librdkafka itself recovers from an outage. Any other error
    /// ends the reading, after the records that came before it.
    private func failed(_ error: KafkaError, isFirst: Bool) throws(EventLogError) {
        let known = EventLogError(error)
        guard !known.isRetriable else { return complaints.about(error, "Reading waits") }
        failure = known
        if isFirst { throw known }
    }

    func positions() -> [TopicPartition: Int64] { next }

    nonisolated func close() async {
        waker.wake()
        await shut()
    }

    private func shut() {
        consumer?.close()
        consumer = nil
    }
}
