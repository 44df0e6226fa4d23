import EventLog
import Synchronization

/// A log that counts the keys of each search for erased devices, and can fail for one of them.
final class FailingEraser: EventLog {
    private let log: any EventLog
    private let failsFor: [UInt8]?
    let erasures = Mutex<[Int]>([])

    init(log: any EventLog, failsFor: [UInt8]? = nil) {
        self.log = log
        self.failsFor = failsFor
    }

    func erase(
        _ keys: [[UInt8]], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool {
        erasures.withLock { $0.append(keys.count) }
        if let failsFor, keys.contains(failsFor) { throw EventLogError(.other, "planted") }
        return try await log.erase(keys, of: topics, before: mark)
    }

    func erase(_ records: [TopicPartition: [Int64]]) async throws(EventLogError) -> Bool {
        try await log.erase(records)
    }

    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await log.createTopics(topics)
    }

    func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await log.partitionCount(of: topic)
    }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) { log.append(records, completion: completion) }

    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try await log.bounds(of: topic)
    }

    func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64] {
        try await log.offsets(of: topic, atMicroseconds: atMicroseconds)
    }

    func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader { try await log.reader(from: start) }

    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember {
        try await log.join(group: group, topics: topics)
    }

    func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try await log.committed(group: group, topics: topics)
    }

    func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) { try await log.moveGroup(group, to: offsets) }

    func close() async { await log.close() }
}
