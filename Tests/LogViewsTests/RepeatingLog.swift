import EventLog
import Synchronization

/// A log whose group members get every batch of records twice, as an old client may deliver it.
final class RepeatingLog: EventLog {
    private let log: any EventLog
    private let repeats = Mutex(0)

    init(_ log: any EventLog) { self.log = log }

    var hasRepeated: Bool { repeats.withLock { $0 > 0 } }

    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember {
        Member(member: try await log.join(group: group, topics: topics)) {
            self.repeats.withLock { $0 += 1 }
        }
    }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) { log.append(records, completion: completion) }

    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try await log.createTopics(topics)
    }

    func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try await log.partitionCount(of: topic)
    }

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

    func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try await log.committed(group: group, topics: topics)
    }

    func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) { try await log.moveGroup(group, to: offsets) }

    func close() async { await log.close() }

    private final class Member: GroupMember {
        private let member: any GroupMember
        private let again = Mutex<[StoredRecord]>([])
        private let onRepeat: @Sendable () -> Void

        init(member: any GroupMember, onRepeat: @escaping @Sendable () -> Void) {
            self.member = member
            self.onRepeat = onRepeat
        }

        func poll(maximum: Int, wait: Duration) async throws(EventLogError) -> GroupPoll {
            let repeated = again.withLock { records in
                defer { records = [] }
                return records
            }
            guard repeated.isEmpty else {
                onRepeat()
                return .records(repeated)
            }
            let poll = try await member.poll(maximum: maximum, wait: wait)
            if case .records(let records) = poll { again.withLock { $0 = records } }
            return poll
        }

        func seek(_ partition: TopicPartition, to offset: Int64) async throws(EventLogError) {
            try await member.seek(partition, to: offset)
        }

        func hold(_ partitions: [TopicPartition]) async throws(EventLogError) {
            try await member.hold(partitions)
        }

        func begin(_ partitions: [TopicPartition]) async throws(EventLogError) {
            try await member.begin(partitions)
        }

        func hindrances() async -> [Hindrance] { await member.hindrances() }

        func commit(
            _ outputs: [LogRecord], next: [TopicPartition: Int64]
        ) async throws(EventLogError) { try await member.commit(outputs, next: next) }

        func close() async { await member.close() }
    }
}
