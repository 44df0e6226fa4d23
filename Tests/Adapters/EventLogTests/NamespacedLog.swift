import EventLog

/// A log on a server that all tests share. Every name gets a prefix that no other test uses, so
/// each test finds the log empty.
struct NamespacedLog: EventLog {
    let log: any EventLog
    let prefix: String

    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await log.createTopics(topics.map(prefixed))
    }

    private func prefixed(_ topic: TopicSpecification) -> TopicSpecification {
        var topic = topic
        topic.name = prefix + topic.name
        return topic
    }

    func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await log.partitionCount(of: prefix + topic)
    }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        log.append(records.map(prefixed), completion: completion)
    }

    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await log.bounds(of: prefix + topic)
    }

    func readableEnds(of topic: String) async throws(EventLogError) -> [Int64] {
        try await log.readableEnds(of: prefix + topic)
    }

    func offsets(
        of topic: String, atMicroseconds time: Int64
    ) async throws(EventLogError) -> [Int64] {
        try await log.offsets(of: prefix + topic, atMicroseconds: time)
    }

    func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader {
        Reader(names: self, reader: try await log.reader(from: prefixed(start)))
    }

    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember {
        let member = try await log.join(
            group: prefix + group, topics: topics.map { prefix + $0 })
        return Member(names: self, member: member)
    }

    func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        plain(
            try await log.committed(group: prefix + group, topics: topics.map { prefix + $0 }))
    }

    func lastCommitted(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        plain(
            try await log.lastCommitted(
                group: prefix + group, topics: topics.map { prefix + $0 }))
    }

    func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        try await log.moveGroup(prefix + group, to: prefixed(offsets))
    }

    func erase(
        _ keys: [[UInt8]], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool {
        try await log.erase(keys, of: topics.map { prefix + $0 }, before: mark)
    }

    func erase(_ records: [TopicPartition: [Int64]]) async throws(EventLogError) -> Bool {
        try await log.erase(
            Dictionary(uniqueKeysWithValues: records.map { (prefixed($0.key), $0.value) }))
    }

    func close() async { await log.close() }

    private struct Reader: LogReader {
        let names: NamespacedLog
        let reader: any LogReader

        func next(
            maximum: Int, wait: Duration
        ) async throws(EventLogError) -> [StoredRecord] {
            try await reader.next(maximum: maximum, wait: wait).map(names.plain)
        }

        func positions() async throws(EventLogError) -> [TopicPartition: Int64] {
            names.plain(try await reader.positions())
        }

        func close() async { await reader.close() }
    }

    private struct Member: GroupMember {
        let names: NamespacedLog
        let member: any GroupMember

        func poll(maximum: Int, wait: Duration) async throws(EventLogError) -> GroupPoll {
            switch try await member.poll(maximum: maximum, wait: wait) {
            case .assigned(let partitions): .assigned(partitions.map(names.plain))
            case .revoked(let partitions): .revoked(partitions.map(names.plain))
            case .records(let records): .records(records.map(names.plain))
            }
        }

        func seek(_ partition: TopicPartition, to offset: Int64) async throws(EventLogError) {
            try await member.seek(names.prefixed(partition), to: offset)
        }

        func hold(
            _ partitions: [TopicPartition]
        ) async throws(EventLogError) -> [TopicPartition: Int64] {
            names.plain(try await member.hold(partitions.map(names.prefixed)))
        }

        func begin(_ partitions: [TopicPartition]) async throws(EventLogError) {
            try await member.begin(partitions.map(names.prefixed))
        }

        func hindrances() async -> [Hindrance] {
            await member.hindrances().map { Hindrance(names.plain($0.partition), $0.error) }
        }

        func commit(
            _ outputs: [LogRecord], next: [TopicPartition: Int64]
        ) async throws(EventLogError) {
            try await member.commit(outputs.map(names.prefixed), next: names.prefixed(next))
        }

        func close() async { await member.close() }
    }

    private func prefixed(_ record: LogRecord) -> LogRecord {
        var record = record
        record.topic = prefix + record.topic
        return record
    }

    private func prefixed(_ place: TopicPartition) -> TopicPartition {
        TopicPartition(prefix + place.topic, place.partition)
    }

    private func prefixed(_ places: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        Dictionary(uniqueKeysWithValues: places.map { (prefixed($0.key), $0.value) })
    }

    private func plain(_ record: StoredRecord) -> StoredRecord {
        var record = record
        record.topic = String(record.topic.dropFirst(prefix.count))
        return record
    }

    private func plain(_ place: TopicPartition) -> TopicPartition {
        TopicPartition(String(place.topic.dropFirst(prefix.count)), place.partition)
    }

    private func plain(_ places: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        Dictionary(uniqueKeysWithValues: places.map { (plain($0.key), $0.value) })
    }
}

extension NamespacedLog: RestorableLog {
    private var restorable: any RestorableLog {
        get throws(EventLogError) {
            guard let log = log as? any RestorableLog else {
                throw EventLogError(.other, "this log can't be restored")
            }
            return log
        }
    }

    func holdCompaction() async throws(EventLogError) -> any CompactionHold {
        try await restorable.holdCompaction()
    }

    func beginRestoring(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await restorable.beginRestoring(topics.map(prefixed))
    }

    func restore(_ records: [RestoredRecord]) async throws(EventLogError) {
        try await restorable.restore(
            records.map {
                RestoredRecord(
                    prefixed($0.record), appendedAtMicroseconds: $0.appendedAtMicroseconds)
            })
    }

    func endRestoring(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await restorable.endRestoring(topics.map(prefixed))
    }
}
