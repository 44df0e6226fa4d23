import EventLog

/// A corner of a log that others use too: topics and groups get a prefix on the way in, which goes
/// on the way out. It lets each test have the topics that it names on a broker that all share.
struct PrefixedLog: EventLog {
    let log: any EventLog
    let prefix: String

    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await log.createTopics(
            topics.map { topic in
                var topic = topic
                topic.name = prefix + topic.name
                return topic
            })
    }

    func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await log.partitionCount(of: prefix + topic)
    }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) { log.append(records.map(inside), completion: completion) }

    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await log.bounds(of: prefix + topic)
    }

    func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64] {
        try await log.offsets(of: prefix + topic, atMicroseconds: atMicroseconds)
    }

    func reader(from start: [TopicPartition: Int64]) async throws(EventLogError) -> any LogReader {
        PrefixedReader(reader: try await log.reader(from: inside(start)), outside: self)
    }

    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember {
        let member = try await log.join(group: prefix + group, topics: topics.map { prefix + $0 })
        return PrefixedMember(member: member, outside: self)
    }

    func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        outside(
            try await log.committed(group: prefix + group, topics: topics.map { prefix + $0 }))
    }

    func close() async { await log.close() }

    fileprivate func inside(_ record: LogRecord) -> LogRecord {
        var record = record
        record.topic = prefix + record.topic
        return record
    }
    fileprivate func inside(_ place: TopicPartition) -> TopicPartition {
        TopicPartition(prefix + place.topic, place.partition)
    }
    fileprivate func inside(_ offsets: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        Dictionary(uniqueKeysWithValues: offsets.map { (inside($0.key), $0.value) })
    }
    fileprivate func outside(_ place: TopicPartition) -> TopicPartition {
        TopicPartition(String(place.topic.dropFirst(prefix.count)), place.partition)
    }
    fileprivate func outside(_ offsets: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        Dictionary(uniqueKeysWithValues: offsets.map { (outside($0.key), $0.value) })
    }
    fileprivate func outside(_ records: [StoredRecord]) -> [StoredRecord] {
        records.map { record in
            var record = record
            record.topic = String(record.topic.dropFirst(prefix.count))
            return record
        }
    }
}

private struct PrefixedReader: LogReader {
    let reader: any LogReader
    let outside: PrefixedLog

    func next(maximum: Int, wait: Duration) async throws(EventLogError) -> [StoredRecord] {
        outside.outside(try await reader.next(maximum: maximum, wait: wait))
    }
    func positions() async throws(EventLogError) -> [TopicPartition: Int64] {
        outside.outside(try await reader.positions())
    }
    func close() async { await reader.close() }
}

private struct PrefixedMember: GroupMember {
    let member: any GroupMember
    let outside: PrefixedLog

    func poll(maximum: Int, wait: Duration) async throws(EventLogError) -> GroupPoll {
        switch try await member.poll(maximum: maximum, wait: wait) {
        case .assigned(let partitions): .assigned(partitions.map(outside.outside))
        case .revoked(let partitions): .revoked(partitions.map(outside.outside))
        case .records(let records): .records(outside.outside(records))
        }
    }
    func seek(_ partition: TopicPartition, to offset: Int64) async throws(EventLogError) {
        try await member.seek(outside.inside(partition), to: offset)
    }
    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        try await member.commit(outputs.map(outside.inside), next: outside.inside(next))
    }
    func close() async { await member.close() }
}
