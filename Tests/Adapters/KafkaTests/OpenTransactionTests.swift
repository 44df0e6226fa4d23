import EventLog
import Foundation
import Kafka
import KafkaLog
import Retrying
import Synchronization
import TestSupport
import Testing

@Suite("An open transaction", .serialized)
struct OpenTransactionTests {
    /// Begins a transaction that only the test ends.
    private static func begin(_ kafka: RealKafka) throws -> Producer {
        let producer = try Producer(settings: [
            "bootstrap.servers": kafka.bootstrapServers, "transactional.id": freshName("open"),
            "transaction.timeout.ms": "600000",
        ])
        try producer.initializeTransactions(.seconds(30))
        try producer.beginTransaction()
        return producer
    }

    private static func count(
        _ log: KafkaLog, _ ranges: [TopicPartition: Range<Int64>], _ onEnd: @Sendable () -> Void
    ) async throws -> Int {
        var count = 0
        try await log.readRange(ranges) { count += $0.count }
        onEnd()
        return count
    }

    @Test("counts for the end of a partition and the lag, but not for readers")
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
        // A successor waits for the former owner's state. It doesn't go on with an older state.
        let restored = Atomic(false)
        async let records = Self.count(log, whole) { restored.store(true, ordering: .relaxed) }
        try await Task.sleep(for: .seconds(1))
        let isEarly = restored.load(ordering: .relaxed)
        #expect(!isEarly)
        try producer.commitTransaction(.seconds(30))
        #expect(try await records == 1)
        let deadline = ContinuousClock.now + .seconds(30)
        while try await log.readableEnds(of: topic) != [2], ContinuousClock.now < deadline {}
        #expect(try await log.readableEnds(of: topic) == [2])
        producer.close(wait: .zero)
        await log.close()
    }

    @Test(
        "blocks one partition's committed offset, not other partitions or the lag, and is reported"
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
        try producer.sendOffsets(
            [PartitionOffset(topic: topic, partition: 0, offset: 1)],
            of: GroupMetadata(ofNobodyIn: group), .seconds(30))
        #expect(try await log.lastCommitted(group: group, topics: [topic]).isEmpty)
        // A caller that waits for a pending offset does not delay other callers.
        async let undecided = try? log.committed(group: group, topics: [topic])
        try await Task.sleep(for: .milliseconds(500))
        let asked = ContinuousClock.now
        #expect(try await log.bounds(of: topic).map(\.end) == [1, 1])
        #expect(try await log.lastCommitted(group: group, topics: [topic]).isEmpty)
        #expect(ContinuousClock.now - asked < .seconds(5))

        let member = Driven(try await log.join(group: group, topics: [topic]))
        try await member.drive { !$0.records.isEmpty && !$0.hindrances.isEmpty }
        #expect(member.owned == [TopicPartition(topic, 1)])
        #expect(member.records.map(\.partition) == [1])
        #expect(member.hindrances.map(\.partition) == [TopicPartition(topic, 0)])

        try producer.abortTransaction(.seconds(30))
        try await member.drive { $0.records.last?.partition == 0 && $0.hindrances.isEmpty }
        // A member that was slow may have joined anew, and then reads what it did not commit again.
        #expect(Set(member.records.map(\.partition)) == [0, 1])
        #expect(member.hindrances.isEmpty)
        _ = await undecided
        await member.member.close()
        producer.close(wait: .zero)
        await log.close()
    }

    @Test("aborted by hand: its inputs are read again from the last commit")
    func abortedByHand() async throws {
        guard let kafka = RealKafka.shared else { return }
        guard RealKafka.jars != nil else { return print("skipped: Kafka's own programs") }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let (scans, positions) = (freshName("scans"), freshName("positions"))
        let group = freshName("locator")
        try await log.createTopics(
            [scans, positions].map {
                TopicSpecification(name: $0, partitions: 1, cleanup: .forever)
            })
        try await log.append(
            (0..<3).map { LogRecord(topic: scans, partition: 0, key: [UInt8($0)], value: [1]) })
        try await log.moveGroup(group, to: [TopicPartition(scans, 0): 1])
        // A batch whose outputs and offset never get their marker.
        let producer = try Self.begin(kafka)
        try await producer.sendAndWait(Sample(key: "k", value: "v"), to: positions)
        try producer.sendOffsets(
            [PartitionOffset(topic: scans, partition: 0, offset: 3)],
            of: GroupMetadata(ofNobodyIn: group), .seconds(30))
        producer.close(wait: .zero)
        let member = Driven(try await log.join(group: group, topics: [scans]))
        try await member.drive { !$0.hindrances.isEmpty }
        #expect(member.records.isEmpty && !member.hindrances.isEmpty)

        let whose = try #require(try kafka.abortTransaction(on: positions, partition: 0))
        let offsets = "__consumer_offsets"
        let place = try await Self.partition(of: group, among: log.partitionCount(of: offsets))
        #expect(try kafka.abortTransaction(on: offsets, partition: place, of: whose) == whose)
        try await member.drive { $0.records.count == 2 }
        #expect(member.records.map(\.offset) == [1, 2])
        // Readers skip the aborted record and its marker.
        #expect(try await log.readableEnds(of: positions) == [2])
        let range = [TopicPartition(positions, 0): Int64(0)..<2]
        #expect(try await Self.count(log, range) {} == 0)
        await member.member.close()
        await log.close()
    }

    /// The partition that holds a group's offsets: Java's hash of the group's name
    /// (GroupMetadataManager.partitionFor).
    private static func partition(of group: String, among count: Int) -> Int {
        let hash = group.utf16.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
        return Int(hash.magnitude) % count
    }

    @Test("on a processor's state blocks only that partition's new owner, and is reported")
    func openState() async throws {
        guard let kafka = RealKafka.shared else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let (scans, state) = (freshName("scans"), freshName("locator-state"))
        let positions = freshName("positions")
        try await log.createTopics(
            [scans, state, positions].map {
                TopicSpecification(
                    name: $0, partitions: 2, cleanup: $0 == state ? .compact : .forever)
            })
        let producer = try Self.begin(kafka)
        try await producer.sendAndWait(Sample(key: "k", value: "v", partition: 0), to: state)
        try await log.append(
            (0..<2).map { LogRecord(topic: scans, partition: $0, key: [1], value: [1]) })
        let told = Mutex<[String]>([])
        let processor = Processor<UInt8>(
            log: log,
            configuration: .init(group: freshName("locator"), input: scans, stateTopic: state),
            emptyState: { _ in 0 }, restore: { known, _ in known += 1 },
            work: { known, records in
                var outputs = ProcessorOutputs()
                for record in records {
                    outputs.append(
                        LogRecord(
                            topic: positions, partition: record.partition, key: [known], value: [1]
                        ), for: record)
                }
                return outputs
            },
            deadLetters: DeadLetters(
                letter: { LogRecord(topic: positions, key: [], value: $0.record.value) },
                sender: { _ in .unknown }, largestRecord: { _ in nil }),
            notices: Notices(
                onUnexpected: { sentence in told.withLock { $0.append(sentence) } },
                onRecovery: { _ in }))
        let running = Task { try await processor.run() }
        let deadline = ContinuousClock.now + .seconds(60)
        func isTold() -> Bool {
            told.withLock { $0.contains { $0.contains("\(state)/0 does not end") } }
        }
        while !isTold(), .now < deadline { try await Task.sleep(for: .milliseconds(100)) }
        while try await log.readableEnds(of: positions)[1] == 0, .now < deadline {}
        #expect(isTold(), "\(told.withLock { $0 })")
        // The other partition is worked on. This partition waits, because its state would lack the
        // last batch.
        #expect(try await log.readableEnds(of: positions)[0] == 0)
        #expect(try await log.readableEnds(of: positions)[1] > 0)
        try producer.commitTransaction(.seconds(30))
        var found: [Sample] = []
        while found.isEmpty, .now < deadline + .seconds(60) {
            found = try readAll(
                positions, partitions: 1, bootstrapServers: kafka.bootstrapServers)
        }
        #expect(found.map(\.key) == ["\u{1}"], "with the state that the transaction left")
        running.cancel()
        _ = try? await running.value
        producer.close(wait: .zero)
        await log.close()
    }

    @Test("of a live member is never fenced: a waiting member fences only dead ones")
    func neighbour() async throws {
        guard let kafka = RealKafka.shared else { return }
        let log = try KafkaLog(bootstrapServers: kafka.bootstrapServers, onUnexpected: { _ in })
        let (topic, group) = (freshName("scans"), freshName("locator"))
        try await log.createTopics([
            TopicSpecification(name: topic, partitions: 2, cleanup: .forever)
        ])
        let first = Driven(try await log.join(group: group, topics: [topic]))
        try await first.drive { $0.owned.count == 2 }
        try await first.member.commit(
            [], next: [TopicPartition(topic, 0): 0, TopicPartition(topic, 1): 0])
        let producer = try Self.begin(kafka)
        try producer.sendOffsets(
            (0..<2).map { PartitionOffset(topic: topic, partition: $0, offset: 0) },
            of: GroupMetadata(ofNobodyIn: group), .seconds(30))

        let second = Driven(try await log.join(group: group, topics: [topic]))
        let deadline = ContinuousClock.now + .seconds(60)
        while second.hindrances.isEmpty, ContinuousClock.now < deadline {
            try await first.drive(for: .milliseconds(200)) { _ in false }
            try await second.drive(for: .milliseconds(200)) { _ in false }
        }
        #expect(second.hindrances.count == 1)
        let kept = try #require(first.owned.first)
        #expect(first.owned.count == 1)
        try await log.append([
            LogRecord(topic: topic, partition: kept.partition, key: [1], value: [1])
        ])
        try await first.drive { !$0.records.isEmpty }
        try await first.member.commit([], next: [kept: 1])

        try producer.abortTransaction(.seconds(30))
        try await second.drive { $0.owned.count == 1 }
        #expect(second.owned.count == 1)
        await first.member.close()
        await second.member.close()
        producer.close(wait: .zero)
        await log.close()
    }
}

/// A member with the events of its polls.
private final class Driven {
    let member: any GroupMember
    var owned: Set<TopicPartition> = []
    var records: [StoredRecord] = []
    var hindrances: [Hindrance] = []

    init(_ member: any GroupMember) { self.member = member }

    func drive(
        for limit: Duration = .seconds(120), until done: (Driven) -> Bool
    ) async throws {
        let deadline = ContinuousClock.now + limit
        while !done(self), ContinuousClock.now < deadline {
            switch try await member.poll(maximum: 10, wait: .milliseconds(100)) {
            case .assigned(let partitions): owned.formUnion(partitions)
            case .revoked(let partitions): owned.subtract(partitions)
            case .records(let more): records += more
            }
            hindrances = await member.hindrances()
        }
    }
}
