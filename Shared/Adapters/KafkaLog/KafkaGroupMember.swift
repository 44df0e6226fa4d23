import EventLog
import Glibc
import Kafka
import Threads

/// A consumer in a group and its transactional producer, on a thread of their own.
///
/// A partition goes through these states. It is unresolved while `OffsetResolver` asks for its
/// committed offset. It is `starting` once the offset is known and the caller was notified. It is
/// `active` while it is read, and `stuck` if it can't be read.
///
/// The group gets its answer at once, so no partition delays another. Revocations happen inside
/// `poll`, so no `commit` is running when a partition goes.
actor KafkaGroupMember: GroupMember {
    /// How long a commit is repeated that had an old generation of the group.
    private static let settling = Duration.seconds(1)
    private static let settlingPause: UInt32 = 5_000

    private let executor = ThreadExecutor(name: "kafka-member")
    private let waker: Consumer.Waker
    private let writer: TransactionWriter
    private let resolver: OffsetResolver
    private let limits: RecordLimits
    private let complaints: Complaints
    private var consumer: Consumer?
    private var reading = MessageReading()
    private var preparedAt: ContinuousClock.Instant?
    private var failure: EventLogError?
    /// The name that the group gave this member before it got its partitions.
    private var memberID: String?

    private var unresolved: Set<TopicPartition> = []
    private var starting: [TopicPartition: Int64] = [:]
    private var held: Set<TopicPartition> = []
    private var active: Set<TopicPartition> = []
    private var stuck: [TopicPartition: EventLogError] = [:]
    /// The next offset of each active partition.
    private var positions: [TopicPartition: Int64] = [:]
    /// The events that the next polls return before any records.
    private var reports: [GroupPoll] = []

    init(
        group: String, topics: [String], settings: KafkaLogSettings, observer: KafkaObserver,
        limits: RecordLimits, complaints: Complaints
    ) throws(KafkaError) {
        let name = MemberName(group: group)
        let consumer = try Consumer(
            settings: settings.member(of: group, id: name.text), observer: observer)
        try consumer.subscribe(to: topics)
        self.consumer = consumer
        self.limits = limits
        self.complaints = complaints
        waker = consumer.waker
        writer = TransactionWriter(name: name, settings: settings, observer: observer)
        resolver = OffsetResolver(
            offsets: consumer.groupOffsets, waker: consumer.waker,
            formerOwners: FormerOwners(group: group, settings: settings, observer: observer),
            complaints: complaints)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func poll(maximum: Int, wait: Duration) throws(EventLogError) -> GroupPoll {
        let consumer = try opened()
        if !reports.isEmpty { return reports.removeFirst() }
        if let failure { throw failure }
        prepareIfDue()
        writer.poll()
        try reportResolved()
        if !reports.isEmpty { return reports.removeFirst() }
        try start(consumer)
        let records = try gather(consumer, maximum: maximum, wait: wait)
        if records.isEmpty {
            if let failure { throw failure }
            try reportResolved()
            if !reports.isEmpty { return reports.removeFirst() }
        }
        return .records(records)
    }

    func seek(_ partition: TopicPartition, to offset: Int64) throws(EventLogError) {
        let consumer = try opened()
        guard isAssigned(partition) else {
            throw EventLogError(.fenced, "\(partition) is not assigned to this member")
        }
        if active.remove(partition) != nil { try stopReading([partition], consumer) }
        stuck[partition] = nil
        starting[partition] = offset
    }

    func hold(
        _ partitions: [TopicPartition]
    ) throws(EventLogError) -> [TopicPartition: Int64] {
        _ = try opened()
        let places = starting.filter { partitions.contains($0.key) }
        held.formUnion(places.keys)
        return places
    }

    func begin(_ partitions: [TopicPartition]) throws(EventLogError) {
        _ = try opened()
        held.subtract(partitions)
    }

    func hindrances() -> [Hindrance] {
        stuck.map { Hindrance($0.key, $0.value) }.sorted { $0.partition < $1.partition }
            + resolver.hindrances
    }

    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) throws(EventLogError) {
        let consumer = try opened()
        guard !outputs.isEmpty || !next.isEmpty else { return }
        do throws(EventLogError) {
            if let error = limits.violation(in: outputs) { throw error }
            try commit(outputs, next, consumer)
        } catch {
            try rewind(consumer)
            throw error
        }
    }

    /// Commits, and does it again when the group had members coming or going meanwhile.
    ///
    /// A commit carries the group's generation, and the coordinator refuses an old one. The
    /// transaction was then rolled back and the partitions are still ours, since only a poll gives
    /// them away. Rewinding would read all state back for nothing. A member that was removed has no
    /// generation until it polls.
    private func commit(
        _ outputs: [LogRecord], _ next: [TopicPartition: Int64], _ consumer: Consumer
    ) throws(EventLogError) {
        let deadline = ContinuousClock.now + Self.settling
        var refused: GroupMetadata?
        while true {
            if let lost = next.keys.first(where: { !isAssigned($0) }) {
                throw EventLogError(.fenced, "\(lost) is no longer assigned to this member")
            }
            // A member that was removed and is back under another name must not commit. Its
            // partitions may have gone to others, and the next poll tells it so.
            guard let group = consumer.groupMetadata(),
                next.isEmpty || consumer.memberID == memberID
            else { throw EventLogError(.fenced, "the group has removed this member") }
            let isNew = refused.map { !group.isSame(as: $0) } ?? true
            guard isNew || ContinuousClock.now >= deadline else {
                // The coordinator's answer with the new generation is on its way.
                usleep(Self.settlingPause)
                continue
            }
            let offsets = next.map {
                PartitionOffset(
                    topic: $0.topic, partition: $0.partition, offset: $1,
                    metadata: writer.name.text)
            }
            do throws(EventLogError) {
                return try writer.commit(outputs, offsets, of: group)
            } catch {
                guard error.code == .fenced, ContinuousClock.now < deadline else { throw error }
                refused = group
            }
        }
    }

    nonisolated func close() async {
        waker.wake()
        await shut()
    }

    private func shut() {
        resolver.forgetAll()
        consumer?.close()
        consumer = nil
        writer.close()
    }

    private func opened() throws(EventLogError) -> Consumer {
        guard let consumer else { throw .closed("the group member") }
        return consumer
    }

    private func isAssigned(_ partition: TopicPartition) -> Bool {
        active.contains(partition) || starting[partition] != nil || stuck[partition] != nil
    }

    /// Initializes the producer while the group settles, and again while partitions wait: our own
    /// lost producer may have left a transaction open. If it fails, the first commit tries again.
    private func prepareIfDue() {
        if let preparedAt {
            guard !writer.isPrepared, !unresolved.isEmpty, .now - preparedAt > .seconds(1) else {
                return
            }
        }
        preparedAt = .now
        do throws(KafkaError) {
            try writer.prepare()
        } catch {
            complaints.about(error, "The transactional producer is not ready yet")
        }
    }

    /// Reports assigned partitions whose committed offset is now known.
    private func reportResolved() throws(EventLogError) {
        guard !unresolved.isEmpty else { return }
        let found = try resolver.removeFound().filter { unresolved.contains($0.key) }
        guard !found.isEmpty else { return }
        starting.merge(found) { $1 }
        unresolved.subtract(found.keys)
        reports.append(.assigned(found.keys.sorted()))
    }

    private func start(_ consumer: Consumer) throws(EventLogError) {
        let ready = starting.filter { !held.contains($0.key) }
        guard !ready.isEmpty else { return }
        let places = ready.map {
            PartitionOffset(topic: $0.topic, partition: $0.partition, offset: $1)
        }
        try asLogErrors { () throws(KafkaError) in try consumer.incrementalAssign(places) }
        active.formUnion(ready.keys)
        for (partition, offset) in ready {
            starting[partition] = nil
            positions[partition] = offset
        }
    }

    private func stopReading(
        _ partitions: some Sequence<TopicPartition>, _ consumer: Consumer
    ) throws(EventLogError) {
        let places = partitions.map {
            PartitionOffset(
                topic: $0.topic, partition: $0.partition, offset: PartitionOffset.none)
        }
        try asLogErrors { () throws(KafkaError) in try consumer.incrementalUnassign(places) }
    }

    private func gather(
        _ consumer: Consumer, maximum: Int, wait: Duration
    ) throws(EventLogError) -> [StoredRecord] {
        let deadline = ContinuousClock.now + wait
        var records: [StoredRecord] = []
        while records.count < maximum {
            let rest = records.isEmpty ? deadline - ContinuousClock.now : .zero
            switch consumer.poll(rest) {
            case .message(let message):
                let record = reading.record(message)
                // librdkafka 2.0 may deliver a record twice (its issue 4636, fixed in 2.4).
                guard record.offset >= positions[record.topicPartition] ?? 0 else { continue }
                positions[record.topicPartition] = record.offset + 1
                records.append(record)
            case .assigned(let partitions):
                try assigned(partitions, consumer)
                return records
            case .revoked(let partitions):
                let gone = try revoked(partitions, consumer)
                return records.filter { !gone.contains($0.topicPartition) }
            case .failed(let error, let place):
                try note(error, place, consumer)
                if failure != nil { return records }
            case .endOfPartition:
                continue
            case .nothing:
                return records
            }
        }
        return records
    }

    /// Answers an assignment with an empty list for now. Without an answer librdkafka reads none of
    /// this member's partitions.
    private func assigned(
        _ partitions: [PartitionOffset], _ consumer: Consumer
    ) throws(EventLogError) {
        try asLogErrors { () throws(KafkaError) in try consumer.incrementalAssign([]) }
        memberID = consumer.memberID
        ask(partitions.map { TopicPartition($0.topic, $0.partition) })
    }

    private func ask(_ partitions: [TopicPartition]) {
        unresolved.formUnion(partitions)
        resolver.ask(partitions)
    }

    private func revoked(
        _ partitions: [PartitionOffset], _ consumer: Consumer
    ) throws(EventLogError) -> Set<TopicPartition> {
        let gone = Set(partitions.map { TopicPartition($0.topic, $0.partition) })
        let known = gone.filter(isAssigned)
        // librdkafka waits for this answer even when there is nothing to stop.
        try stopReading(gone.intersection(active), consumer)
        forget(gone)
        resolver.forget(gone)
        if !known.isEmpty { reports.append(.revoked(known.sorted())) }
        return gone
    }

    private func forget(_ partitions: Set<TopicPartition>) {
        unresolved.subtract(partitions)
        active.subtract(partitions)
        held.subtract(partitions)
        starting = starting.filter { !partitions.contains($0.key) }
        stuck = stuck.filter { !partitions.contains($0.key) }
        positions = positions.filter { !partitions.contains($0.key) }
    }

    /// Goes back to the committed offsets of all partitions except stuck ones, which wait for an
    /// operator.
    private func rewind(_ consumer: Consumer) throws(EventLogError) {
        let owned = active.union(starting.keys)
        guard !owned.isEmpty else { return }
        try stopReading(active, consumer)
        forget(owned)
        ask(owned.sorted())
        reports.append(.revoked(owned.sorted()))
    }

    /// Handles an error of the consumer. librdkafka itself recovers from an outage. A partition
    /// whose next offset is no longer in the log is set apart, and the others go on. Any other
    /// error ends this member, after the records that came before it.
    private func note(
        _ error: KafkaError, _ place: PartitionOffset?, _ consumer: Consumer
    ) throws(EventLogError) {
        let known = EventLogError(error)
        if known.code == .offsetOutOfRange, let place {
            try set(TopicPartition(place.topic, place.partition), apart: known, consumer)
        } else if known.isRetriable || error.code == .maximumPollExceeded {
            complaints.about(error, "Reading in a group")
        } else {
            failure = known
        }
    }

    private func set(
        _ partition: TopicPartition, apart error: EventLogError, _ consumer: Consumer
    ) throws(EventLogError) {
        // The error came before the partition was revoked, so it no longer matters.
        guard active.remove(partition) != nil else { return }
        try stopReading([partition], consumer)
        stuck[partition] = error
    }
}
