import EventLog
import Kafka

/// A consumer in a group and its transactional producer, on a thread of their own.
///
/// A partition goes through three steps: the group gave it (`unresolved`), its committed offset is
/// known and the user has been told (`starting`), it is being read (`active`). Revoking happens
/// inside `poll`, so nothing is ever under way in `commit` when a partition goes.
actor KafkaGroupMember: GroupMember {
    private let executor = ThreadExecutor()
    private let waker: Consumer.Waker
    private let writer: TransactionWriter
    private let formerOwners: FormerOwners
    private let limits: RecordLimits
    private let complaints: Complaints
    private var consumer: Consumer?
    private var reading = MessageReading()
    private var isPrepared = false
    private var failure: EventLogError?

    private var unresolved: Set<TopicPartition> = []
    private var starting: [TopicPartition: Int64] = [:]
    private var active: Set<TopicPartition> = []
    /// What the next polls say before anything else.
    private var reports: [GroupPoll] = []

    init(
        group: String, topics: [String], settings: KafkaLogSettings, observer: KafkaObserver,
        limits: RecordLimits, complaints: Complaints
    ) throws(KafkaError) {
        let consumer = try Consumer(settings: settings.member(of: group), observer: observer)
        try consumer.subscribe(to: topics)
        self.consumer = consumer
        self.limits = limits
        self.complaints = complaints
        waker = consumer.waker
        writer = TransactionWriter(group: group, settings: settings, observer: observer)
        formerOwners = FormerOwners(group: group, settings: settings, observer: observer)
    }

    deinit { executor.stop() }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func poll(maximum: Int, wait: Duration) throws(EventLogError) -> GroupPoll {
        let consumer = try opened()
        if !reports.isEmpty { return reports.removeFirst() }
        if let failure { throw failure }
        prepareOnce()
        writer.poll()
        try resolve(consumer)
        if !reports.isEmpty { return reports.removeFirst() }
        try start(consumer)
        let records = try gather(consumer, maximum: maximum, wait: wait)
        if records.isEmpty {
            if let failure { throw failure }
            try resolve(consumer)
            if !reports.isEmpty { return reports.removeFirst() }
        }
        return .records(records)
    }

    func seek(_ partition: TopicPartition, to offset: Int64) throws(EventLogError) {
        let consumer = try opened()
        guard isAssigned(partition) else {
            throw EventLogError(.fenced, "\(partition) is not this member's")
        }
        if active.remove(partition) != nil { try give([partition], consumer) }
        starting[partition] = offset
    }

    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) throws(EventLogError) {
        let consumer = try opened()
        guard !outputs.isEmpty || !next.isEmpty else { return }
        do throws(EventLogError) {
            if let lost = next.keys.first(where: { !isAssigned($0) }) {
                throw EventLogError(.fenced, "\(lost) is not this member's any more")
            }
            if let error = limits.violation(in: outputs) { throw error }
            guard let group = consumer.groupMetadata() else {
                throw EventLogError(.fenced, "the group has dropped this member")
            }
            let offsets = next.map {
                PartitionOffset(
                    topic: $0.topic, partition: $0.partition, offset: $1, metadata: writer.id)
            }
            try writer.commit(outputs, offsets, of: group)
        } catch {
            try rewind(consumer)
            throw error
        }
    }

    nonisolated func close() async {
        waker.wake()
        await shut()
    }

    private func shut() {
        consumer?.close()
        consumer = nil
        writer.close()
    }

    private func opened() throws(EventLogError) -> Consumer {
        guard let consumer else { throw .closed("the group member") }
        return consumer
    }

    private func isAssigned(_ partition: TopicPartition) -> Bool {
        active.contains(partition) || starting[partition] != nil
    }

    /// Makes the producer known while the group settles. If that fails, the first commit tries again.
    private func prepareOnce() {
        guard !isPrepared else { return }
        isPrepared = true
        do throws(KafkaError) {
            try writer.prepare()
        } catch {
            complaints.about(error, "The transactional producer is not ready yet")
        }
    }

    /// Asks for the committed offsets of what the group gave, and reports it as assigned. That
    /// waits for a former owner's open transaction, so it is asked again while polls go on.
    private func resolve(_ consumer: Consumer) throws(EventLogError) {
        guard !unresolved.isEmpty else { return }
        let wanted = unresolved.map {
            PartitionOffset(
                topic: $0.topic, partition: $0.partition, offset: PartitionOffset.none)
        }
        let committed: [PartitionOffset]
        do throws(KafkaError) {
            committed = try consumer.committed(wanted, .seconds(1))
        } catch {
            guard error.isRetriable else { throw EventLogError(error) }
            fenceFormerOwners()
            return
        }
        for place in committed {
            starting[TopicPartition(place.topic, place.partition)] =
                place.offset < 0 ? PartitionOffset.beginning : place.offset
        }
        reports.append(.assigned(unresolved.sorted()))
        unresolved = []
    }

    /// A transaction of a live owner ends within milliseconds; one that is still pending after the
    /// wait above was left behind, by another or by our own producer that was lost. When this fails
    /// too, the brokers end it in their own time.
    private func fenceFormerOwners() {
        do throws(KafkaError) {
            try writer.prepare()
            try formerOwners.fence(unresolved, sparing: writer.id)
        } catch {
            complaints.about(error, "Ending what a former owner left open")
        }
    }

    private func start(_ consumer: Consumer) throws(EventLogError) {
        guard !starting.isEmpty else { return }
        let places = starting.map {
            PartitionOffset(topic: $0.topic, partition: $0.partition, offset: $1)
        }
        try asLogErrors { () throws(KafkaError) in try consumer.take(places) }
        active.formUnion(starting.keys)
        starting = [:]
    }

    private func give(
        _ partitions: some Sequence<TopicPartition>, _ consumer: Consumer
    ) throws(EventLogError) {
        let places = partitions.map {
            PartitionOffset(
                topic: $0.topic, partition: $0.partition, offset: PartitionOffset.none)
        }
        try asLogErrors { () throws(KafkaError) in try consumer.give(places) }
    }

    private func gather(
        _ consumer: Consumer, maximum: Int, wait: Duration
    ) throws(EventLogError) -> [StoredRecord] {
        // With offsets still to be asked for, the poll comes back soon.
        let wait = unresolved.isEmpty ? wait : min(wait, .milliseconds(100))
        let deadline = ContinuousClock.now + wait
        var records: [StoredRecord] = []
        while records.count < maximum {
            let rest = records.isEmpty ? deadline - ContinuousClock.now : .zero
            switch consumer.poll(rest) {
            case .message(let message):
                records.append(reading.record(message))
            case .assigned(let partitions):
                try assigned(partitions, consumer)
                return records
            case .revoked(let partitions):
                let gone = try revoked(partitions, consumer)
                return records.filter { !gone.contains($0.topicPartition) }
            case .failed(let error):
                note(error)
                if failure != nil { return records }
            case .endOfPartition:
                continue
            case .nothing:
                return records
            }
        }
        return records
    }

    private func assigned(
        _ partitions: [PartitionOffset], _ consumer: Consumer
    ) throws(EventLogError) {
        if partitions.isEmpty {
            try asLogErrors { () throws(KafkaError) in try consumer.take([]) }
        }
        unresolved.formUnion(partitions.map { TopicPartition($0.topic, $0.partition) })
    }

    private func revoked(
        _ partitions: [PartitionOffset], _ consumer: Consumer
    ) throws(EventLogError) -> Set<TopicPartition> {
        let gone = Set(partitions.map { TopicPartition($0.topic, $0.partition) })
        let known = gone.filter(isAssigned)
        // librdkafka waits for this also when there is nothing to stop.
        try give(gone.intersection(active), consumer)
        unresolved.subtract(gone)
        active.subtract(gone)
        starting = starting.filter { !gone.contains($0.key) }
        if !known.isEmpty { reports.append(.revoked(known.sorted())) }
        return gone
    }

    /// Goes back to what is committed, for all partitions.
    private func rewind(_ consumer: Consumer) throws(EventLogError) {
        let owned = active.union(starting.keys)
        guard !owned.isEmpty else { return }
        try give(active, consumer)
        active = []
        starting = [:]
        unresolved.formUnion(owned)
        reports.append(.revoked(owned.sorted()))
    }

    /// What is down comes back, and librdkafka goes on by itself; anything else ends this member,
    /// after the records that came before it.
    private func note(_ error: KafkaError) {
        let known = EventLogError(error)
        if known.isRetriable || error.code == .maximumPollExceeded {
            complaints.about(error, "Reading in a group")
        } else {
            failure = known
        }
    }
}
