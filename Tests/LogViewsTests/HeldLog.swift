import EventLog
import Synchronization

/// A log that answers no append until it is told to.
final class HeldLog: EventLog {
    private struct State {
        var isHeld = true
        var waiting: [@Sendable () -> Void] = []
        var isAsked = false
    }
    private let log: any EventLog
    private let state = Mutex(State())

    init(_ log: any EventLog) { self.log = log }

    /// Whether an append has come.
    var isAsked: Bool { state.withLock { $0.isAsked } }

    /// Appends what waits, and from now on whatever comes.
    func letGo() {
        let waiting = state.withLock { state in
            state.isHeld = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for append in waiting { append() }
    }

    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        let append: @Sendable () -> Void = { [log] in log.append(records, completion: completion) }
        let isHeld = state.withLock { state in
            state.isAsked = true
            if state.isHeld { state.waiting.append(append) }
            return state.isHeld
        }
        if !isHeld { append() }
    }

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
    ) async throws(EventLogError) {
        try await log.moveGroup(group, to: offsets)
    }

    func close() async { await log.close() }
}
