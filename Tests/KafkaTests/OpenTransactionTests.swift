import EventLog
import Foundation
import Kafka
import KafkaLog
import TestSupport
import Testing

@Suite("A transaction that is open", .serialized)
struct OpenTransactionTests {
    /// A transaction that nobody ends before the test does.
    private static func begin(_ kafka: RealKafka) throws -> Producer {
        let producer = try Producer(settings: [
            "bootstrap.servers": kafka.bootstrapServers, "transactional.id": freshName("open"),
            "transaction.timeout.ms": "600000",
        ])
        try producer.initializeTransactions(.seconds(30))
        try producer.beginTransaction()
        return producer
    }

    @Test("counts at the end of a partition, but not for readers; the lag counts it too")
    func end() async throws {
        guard let kafka = RealKafka.shared else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let topic = freshName("positions")
        try await log.createTopics([
            TopicSpecification(name: topic, partitions: 1, cleanup: .forever)
        ])
        let producer = try Self.begin(kafka)
        try await producer.sendAndWait(Sample(key: "k", value: "v"), to: topic)
        #expect(try await log.bounds(of: topic) == [PartitionBounds(start: 0, end: 1)])
        #expect(try await log.readableEnds(of: topic) == [0])
        #expect(try await log.ranges(of: [topic])[TopicPartition(topic, 0)] == 0..<0)
        let whole = try await log.ranges(of: [topic], withOpenTransactions: true)
        #expect(whole[TopicPartition(topic, 0)] == 0..<1)
        try producer.commitTransaction(.seconds(30))
        let deadline = ContinuousClock.now + .seconds(30)
        while try await log.readableEnds(of: topic) != [2], ContinuousClock.now < deadline {}
        #expect(try await log.readableEnds(of: topic) == [2])
        producer.close(wait: .zero)
        await log.close()
    }

    @Test(
        "on what a group has committed of one partition holds up neither the others nor the lag, and is told"
    )
    func pendingOffset() async throws {
        guard let kafka = RealKafka.shared else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let (topic, group) = (freshName("scans"), freshName("locator"))
        try await log.createTopics([
            TopicSpecification(name: topic, partitions: 2, cleanup: .forever)
        ])
        try await log.append(
            (0..<2).map { LogRecord(topic: topic, partition: $0, key: [1], value: [1]) })
        let producer = try Self.begin(kafka)
        try await leaveOffsetPending(topic, group, producer, kafka)
        #expect(try await log.lastCommitted(group: group, topics: [topic]).isEmpty)

        let member = try await log.join(group: group, topics: [topic])
        var owned: Set<TopicPartition> = []
        var records: [StoredRecord] = []
        let deadline = ContinuousClock.now + .seconds(60)
        var hindrances: [Hindrance] = []
        while records.isEmpty || hindrances.isEmpty, ContinuousClock.now < deadline {
            hindrances = await member.hindrances()
            switch try await member.poll(maximum: 10, wait: .milliseconds(100)) {
            case .assigned(let partitions): owned.formUnion(partitions)
            case .revoked(let partitions): owned.subtract(partitions)
            case .records(let more): records += more
            }
        }
        #expect(owned == [TopicPartition(topic, 1)])
        #expect(records.map(\.partition) == [1])
        #expect(hindrances.map(\.partition) == [TopicPartition(topic, 0)])

        try producer.abortTransaction(.seconds(30))
        while records.count < 2, ContinuousClock.now < deadline {
            if case .records(let more) = try await member.poll(
                maximum: 10, wait: .milliseconds(100))
            {
                records += more
            }
        }
        #expect(records.map(\.partition) == [1, 0])
        #expect(await member.hindrances().isEmpty)
        await member.close()
        producer.close(wait: .zero)
        await log.close()
    }

    /// Makes the offset of partition 0 part of the open transaction, as a member that is gone then.
    private func leaveOffsetPending(
        _ topic: String, _ group: String, _ producer: Producer, _ kafka: RealKafka
    ) async throws {
        let consumer = try Consumer(settings: [
            "bootstrap.servers": kafka.bootstrapServers, "group.id": group,
            "partition.assignment.strategy": "cooperative-sticky", "enable.auto.commit": "false",
            "session.timeout.ms": "6000",
        ])
        try consumer.subscribe(to: [topic])
        var owned = 0
        while owned == 0 {
            guard case .assigned(let partitions) = consumer.poll(.seconds(1)) else { continue }
            owned = partitions.count
            try consumer.take([])
        }
        let metadata = try #require(consumer.groupMetadata())
        try producer.sendOffsets(
            [PartitionOffset(topic: topic, partition: 0, offset: 1)], of: metadata, .seconds(30))
        consumer.close()
    }
}
