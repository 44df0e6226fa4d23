import EventLog
import Glibc
import Kafka

/// Questions to the brokers, asked one after the other on a thread of their own.
actor KafkaAdministration {
    /// How long one answer may take.
    private static let wait = Duration.seconds(10)
    /// Batches carry some bytes beside the records, and several small records share one.
    private static let smallestBatchLimit = 1_100_000

    private let executor = ThreadExecutor()
    private var administrator: Administrator?

    init(settings: [String: String], observer: KafkaObserver) throws(KafkaError) {
        administrator = try Administrator(settings: settings, observer: observer)
    }

    deinit { executor.stop() }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func close() { administrator = nil }

    func createTopics(_ topics: [TopicSpecification]) throws(EventLogError) {
        for topic in topics { try create(topic) }
    }

    func partitionCount(of topic: String) throws(EventLogError) -> Int {
        try ask { administrator throws(KafkaError) in
            try administrator.partitionCount(of: topic, Self.wait)
        }
    }

    /// The end is the high watermark: an open transaction's records count as there. So a reader
    /// that has come to the end has seen what a former owner of its work left behind, whichever of
    /// that owner's partitions the brokers finish first.
    func bounds(of topic: String) throws(EventLogError) -> [PartitionBounds] {
        let starts = try offsets(of: topic, atMilliseconds: Administrator.earliest)
        let ends = try offsets(of: topic, atMilliseconds: Administrator.latest)
        return zip(starts, ends).map { PartitionBounds(start: $0, end: $1) }
    }

    func offsets(of topic: String, atMicroseconds: Int64) throws(EventLogError) -> [Int64] {
        // Kafka keeps milliseconds; a time between two of them asks for the later.
        let (whole, rest) = max(0, atMicroseconds).quotientAndRemainder(dividingBy: 1000)
        let found = try offsets(of: topic, atMilliseconds: rest > 0 ? whole + 1 : whole)
        guard found.contains(where: { $0 < 0 }) else { return found }
        let ends = try offsets(of: topic, atMilliseconds: Administrator.latest)
        return zip(found, ends).map { $0 < 0 ? $1 : $0 }
    }

    /// Nil while a transaction on the group's offsets is pending.
    func committed(
        group: String, topics: [String]
    ) throws(EventLogError) -> [TopicPartition: Int64]? {
        guard let administrator else { throw .closed("the log") }
        var partitions: [PartitionOffset] = []
        for topic in topics {
            let count = try partitionCount(of: topic)
            partitions += (0..<count).map {
                PartitionOffset(topic: topic, partition: $0, offset: PartitionOffset.none)
            }
        }
        var result: [TopicPartition: Int64] = [:]
        do throws(KafkaError) {
            for place in try administrator.committed(group: group, partitions, Self.wait) {
                result[TopicPartition(place.topic, place.partition)] = place.offset
            }
        } catch {
            guard error.code == .unstableOffsets else { throw EventLogError(error) }
            return nil
        }
        return result
    }

    private func offsets(
        of topic: String, atMilliseconds time: Int64
    ) throws(EventLogError) -> [Int64] {
        let count = try partitionCount(of: topic)
        return try ask { administrator throws(KafkaError) in
            try administrator.offsets(
                of: topic, partitions: count, atMilliseconds: time, Self.wait)
        }
    }

    private func create(_ topic: TopicSpecification) throws(EventLogError) {
        if try existingPartitionCount(of: topic.name) == nil {
            _ = try ask { administrator throws(KafkaError) in
                try administrator.createTopic(
                    topic.name, partitions: topic.partitions,
                    configuration: Self.configuration(of: topic), Self.wait)
            }
        }
        let deadline = ContinuousClock.now + Self.wait
        var count = try existingPartitionCount(of: topic.name)
        // The brokers tell each other of a new topic after they have answered.
        while count == nil, ContinuousClock.now < deadline {
            usleep(20_000)
            count = try existingPartitionCount(of: topic.name)
        }
        guard let count else {
            throw EventLogError(.unavailable, "\(topic.name) was made and is not there yet")
        }
        guard count == topic.partitions else {
            throw EventLogError(
                .partitionMismatch,
                "\(topic.name) has \(count) partitions and not \(topic.partitions)")
        }
    }

    private func existingPartitionCount(of topic: String) throws(EventLogError) -> Int? {
        do throws(EventLogError) {
            return try partitionCount(of: topic)
        } catch {
            guard error.code == .unknownTopic else { throw error }
            return nil
        }
    }

    /// Only closed segments are compacted or dropped, so segments are closed in time for it.
    private static func configuration(of topic: TopicSpecification) -> [String: String] {
        var result = [
            "message.timestamp.type": "LogAppendTime",
            "max.message.bytes": "\(max(topic.maximumRecordBytes + 10_000, smallestBatchLimit))",
            "retention.ms": "-1", "retention.bytes": "-1", "cleanup.policy": "delete",
        ]
        switch topic.cleanup {
        case .forever: break
        case .compact:
            result["cleanup.policy"] = "compact"
            result["segment.ms"] = "3600000"
            result["segment.bytes"] = "67108864"
        case .delete(let after):
            let milliseconds = max(1, after.components.seconds * 1000)
            result["retention.ms"] = "\(milliseconds)"
            result["segment.ms"] = "\(min(max(milliseconds / 10, 10_000), 604_800_000))"
        }
        return result
    }

    private func ask<Result>(
        _ question: (Administrator) throws(KafkaError) -> Result
    ) throws(EventLogError) -> Result {
        guard let administrator else { throw .closed("the log") }
        do throws(KafkaError) {
            return try question(administrator)
        } catch {
            throw EventLogError(error)
        }
    }
}
