import EventLog

/// A member of a group, with its offset in each partition.
actor MemoryGroupMember: GroupMember {
    private let log: MemoryLog
    private let group: String
    private let topics: [String]
    /// The member's id. Each entry into the group gets a new one, so that commits under an old id
    /// stay fenced for ever.
    private var identity = 0
    private var reading = MemoryReading()
    /// The start offsets of partitions that are held back.
    private var held: [TopicPartition: Int64] = [:]
    private var obstacles: [Hindrance] = []
    private var events: [GroupPoll] = []
    private var isClosed = false

    init(_ log: MemoryLog, group: String, topics: [String]) {
        self.log = log
        self.group = group
        self.topics = topics
    }

    func join() throws(EventLogError) {
        var places: [TopicPartition] = []
        for topic in topics {
            places += try log.look(at: topic) { found in
                found.partitions.indices.map { TopicPartition(topic, $0) }
            }
        }
        identity = try log.change(group) { contents, group, now in
            contents.lastMember += 1
            group.join(contents.lastMember, places, at: now)
            return contents.lastMember
        }
        log.server.bell.ring()
    }

    func poll(maximum: Int, wait: Duration) async throws(EventLogError) -> GroupPoll {
        defer { _ = try? hear(isPolling: false) }
        return try await log.wait(for: wait) { () throws(EventLogError) in
            guard !isClosed else { throw EventLogError(.closed, "the member has left") }
            if events.isEmpty { try refresh() }
            if !events.isEmpty { return events.removeFirst() }
            let (records, obstacles) = try reading.read(log, maximum)
            self.obstacles = obstacles
            return records.isEmpty ? nil : .records(records)
        } ?? .records([])
    }

    func seek(_ partition: TopicPartition, to offset: Int64) throws(EventLogError) {
        guard owned.contains(partition) else {
            throw EventLogError(.fenced, "\(partition) is not assigned")
        }
        held[partition] = nil
        reading.next[partition] = offset
    }

    func hold(_ partitions: [TopicPartition]) -> [TopicPartition: Int64] {
        var places: [TopicPartition: Int64] = [:]
        for place in partitions {
            guard let offset = reading.next.removeValue(forKey: place) else { continue }
            held[place] = offset
            places[place] = offset
        }
        return places
    }

    func begin(_ partitions: [TopicPartition]) {
        for place in partitions {
            if let offset = held.removeValue(forKey: place) { reading.next[place] = offset }
        }
    }

    func hindrances() -> [Hindrance] { obstacles.sorted { $0.partition < $1.partition } }

    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) throws(EventLogError) {
        guard !isClosed else { throw EventLogError(.closed, "the member has left") }
        let identity = identity
        do throws(EventLogError) {
            try log.change(group, by: identity) { contents, group, now throws(EventLogError) in
                guard group.hear(identity, at: now),
                    next.keys.allSatisfy({ group.owns(identity, $0) })
                else { throw EventLogError(.fenced, "a partition is not assigned to this member") }
                try contents.append(outputs, at: now)
                group.commit(next)
            }
        } catch {
            dropEverything()
            throw error
        }
        log.server.bell.ring()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        let (group, identity) = (group, identity)
        _ = try? log.server.access { contents, _ in contents.groups[group]?.leave(identity) }
        log.server.bell.ring()
    }

    private var owned: Set<TopicPartition> { Set(reading.next.keys).union(held.keys) }

    private func hear(isPolling: Bool) throws(EventLogError) -> Bool {
        let (identity, name) = (identity, group)
        return try log.access { contents, now in
            contents.groups[name]?.hear(identity, at: now, isPolling: isPolling) ?? false
        }
    }

    /// Drops all partitions. They are reported as revoked. Those that are still this member's are
    /// then assigned again, from the committed offsets.
    private func dropEverything() {
        if !owned.isEmpty { events.append(.revoked(owned.sorted())) }
        reading = MemoryReading()
        held = [:]
        obstacles = []
    }

    /// Reports the difference between the held partitions and the group's shares as events.
    private func refresh() throws(EventLogError) {
        if try !hear(isPolling: true) {
            dropEverything()
            try join()
        }
        let identity = identity
        let (mine, committed, hasReleased) = try log.change(group) { _, group, now in
            let hasReleased = group.release(identity)
            return (group.owned(by: identity), group.committed, hasReleased)
        }
        if hasReleased { log.server.bell.ring() }
        let (lost, gained) = (owned.subtracting(mine), mine.subtracting(owned))
        for place in lost {
            reading.next[place] = nil
            held[place] = nil
        }
        for place in gained {
            let bounds = try log.look(at: place.topic) { $0.partitions[place.partition].bounds }
            reading.next[place] = committed[place] ?? bounds.start
        }
        if !lost.isEmpty { events.append(.revoked(lost.sorted())) }
        if !gained.isEmpty { events.append(.assigned(gained.sorted())) }
    }
}
