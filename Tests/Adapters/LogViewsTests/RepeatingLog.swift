import EventLog
import Synchronization
import TestSupport

/// A log whose group members get every batch of records twice, as from an old client.
final class RepeatingLog: ForwardingLog {
    let base: any EventLog
    private let repeats = Mutex(0)

    init(_ base: any EventLog) { self.base = base }

    var hasRepeated: Bool { repeats.withLock { $0 > 0 } }

    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember {
        Member(member: try await base.join(group: group, topics: topics)) {
            self.repeats.withLock { $0 += 1 }
        }
    }

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

        func hold(
            _ partitions: [TopicPartition]
        ) async throws(EventLogError) -> [TopicPartition: Int64] {
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
