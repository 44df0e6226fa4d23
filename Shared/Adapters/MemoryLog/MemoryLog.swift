public import EventLog
import Synchronization

/// The event log in memory, for tests. It passes the contract suite of the other two logs. It ends
/// with the process, and the outcome of an append is never unknown.
public final class MemoryLog: EventLog {
    let server: MemoryLogServer
    private let maximumQueuedRecords: Int
    private let state = Mutex((queued: 0, isClosed: false))

    public init(
        _ server: MemoryLogServer = MemoryLogServer(), maximumQueuedRecords: Int = 50_000
    ) {
        self.server = server
        self.maximumQueuedRecords = maximumQueuedRecords
    }

    public func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError) {
        try access { contents, _ throws(EventLogError) in
            for topic in topics { try contents.create(topic) }
        }
    }

    public func partitionCount(of topic: String) async throws(EventLogError) -> Int {
        try look(at: topic) { $0.partitions.count }
    }

    public func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void
    ) {
        let refusal = state.withLock { state -> EventLogError? in
            if state.isClosed { return EventLogError(.closed, "the log is closed") }
            guard state.queued + records.count <= maximumQueuedRecords else {
                return EventLogError(.backPressure, "\(state.queued) records wait already")
            }
            state.queued += records.count
            return nil
        }
        if let refusal {
            // Runs in a task, because the caller may hold locks that the completion needs.
            Task { completion(.failure(refusal)) }
            return
        }
        server.enqueue { [self] in
            let result = Result { () throws(EventLogError) in
                try server.access { contents, now throws(EventLogError) in
                    try contents.append(records, at: now)
                }
            }
            state.withLock { $0.queued -= records.count }
            server.bell.ring()
            completion(result)
        }
    }

    public func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds] {
        try look(at: topic) { $0.partitions.map(\.bounds) }
    }

    public func offsets(
        of topic: String, atMicroseconds time: Int64
    ) async throws(EventLogError) -> [Int64] {
        try look(at: topic) { topic in
            topic.partitions.map { $0.offset(atMicroseconds: time) }
        }
    }

    public func reader(
        from start: [TopicPartition: Int64]
    ) async throws(EventLogError) -> any LogReader {
        try check(start.keys)
        return MemoryLogReader(self, start)
    }

    public func join(
        group: String, topics: [String]
    ) async throws(EventLogError) -> any GroupMember {
        let member = MemoryGroupMember(self, group: group, topics: topics)
        try await member.join()
        return member
    }

    public func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try access { contents, _ in
            contents.groups[group]?.committed.filter { topics.contains($0.key.topic) } ?? [:]
        }
    }

    public func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError) {
        try check(offsets.keys)
        try change(group) { _, group, _ throws(EventLogError) in
            guard !group.hasMembers else { throw EventLogError(.fenced, "the group has members") }
            group.commit(offsets)
        }
    }

    public func erase(
        _ keys: [[UInt8]], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool {
        try access { contents, now throws(EventLogError) in
            for name in topics {
                _ = try contents.topic(name, at: now)
                for key in keys { contents.topics[name]?.erase(key, before: mark) }
            }
        }
        return true
    }

    public func erase(
        _ records: [TopicPartition: [Int64]]
    ) async throws(EventLogError) -> Bool {
        try check(records.keys)
        try access { contents, _ throws(EventLogError) in
            for (place, offsets) in records {
                contents.topics[place.topic]?.erase(offsets, of: place.partition)
            }
        }
        return true
    }

    public func close() async {
        state.withLock { $0.isClosed = true }
        await withCheckedContinuation { continuation in server.enqueue { continuation.resume() } }
        server.bell.ring()
    }

    func access<Result: Sendable>(
        _ body: (inout MemoryLogServer.Contents, _ now: Int64) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        guard !state.withLock({ $0.isClosed }) else {
            throw EventLogError(.closed, "the log is closed")
        }
        return try server.access(body)
    }

    /// Changes a group after removing members that were silent too long. The member that asks for
    /// the change counts as active.
    func change<Result: Sendable>(
        _ group: String, by member: Int? = nil,
        _ body: (inout MemoryLogServer.Contents, inout MemoryGroup, _ now: Int64)
            throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        let session = server.sessionTimeout.microseconds
        return try access { contents, now throws(EventLogError) in
            var changed = contents.groups.removeValue(forKey: group) ?? MemoryGroup()
            defer { contents.groups[group] = changed }
            if let member { changed.hear(member, at: now) }
            changed.removeSilent(since: now - session)
            return try body(&contents, &changed, now)
        }
    }

    func look<Result: Sendable>(
        at topic: String, _ body: (MemoryTopic) -> Result
    ) throws(EventLogError) -> Result {
        try access { contents, now throws(EventLogError) in
            body(try contents.topic(topic, at: now))
        }
    }

    /// Checks the partitions. Throws `unknownTopic`, or `offsetOutOfRange` for a partition that the
    /// topic does not have.
    private func check(_ places: some Collection<TopicPartition>) throws(EventLogError) {
        for place in places {
            let isThere = try look(at: place.topic) {
                $0.partitions.indices.contains(place.partition)
            }
            guard isThere else {
                throw EventLogError(.offsetOutOfRange, "there is no partition \(place)")
            }
        }
    }

    /// Calls `answer` at each change until it returns a value, the time is over or the task is
    /// cancelled.
    func wait<Answer>(
        for time: Duration, isolation: isolated (any Actor)? = #isolation,
        _ answer: () throws(EventLogError) -> Answer?
    ) async throws(EventLogError) -> Answer? {
        let deadline = ContinuousClock.now + time
        while true {
            let rings = server.bell.rings
            if let found = try answer() { return found }
            if deadline <= .now || Task.isCancelled { return nil }
            await server.bell.wait(after: rings, until: deadline)
        }
    }
}
