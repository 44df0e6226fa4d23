public import EventLog

/// A log that passes every call to another log. A conforming type implements only the calls that
/// differ.
public protocol ForwardingLog: EventLog {
    var base: any EventLog { get }
}

extension ForwardingLog {
    public func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await base.createTopics(topics)
    }

    public func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await base.partitionCount(of: topic)
    }

    public func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) { base.append(records, completion: completion) }

    public func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await base.bounds(of: topic)
    }

    public func offsets(
        of topic: String, atMicroseconds time: Int64
    ) async throws(EventLogError) -> [Int64] {
        try await base.offsets(of: topic, atMicroseconds: time)
    }

    public func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader { try await base.reader(from: start) }

    public func join(
        group: String, topics: [String]
    ) async throws(EventLogError) -> any GroupMember {
        try await base.join(group: group, topics: topics)
    }

    public func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try await base.committed(group: group, topics: topics)
    }

    public func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) { try await base.moveGroup(group, to: offsets) }

    public func close() async { await base.close() }
}
