public import EventLog
import Foundation
import Synchronization

/// Topics and groups in memory, like a broker for the log on Kafka. Several logs can share one
/// server, as if each were a process of its own.
public final class MemoryLogServer: Sendable {
    /// The server's state. One lock guards it, so that nobody sees a transaction half done.
    struct Contents: Sendable {
        var topics: [String: MemoryTopic] = [:]
        var groups: [String: MemoryGroup] = [:]
        var lastMember = 0
        var isAway = false
        var isHoldingAppends = false
    }

    let bell = ChangeBell()
    let sessionTimeout: Duration
    private let tombstoneAge: Duration
    private let now: @Sendable () -> Int64
    private let contents = Mutex(Contents())
    private let appends = DispatchQueue(label: "MemoryLog.appends")

    /// - Parameters:
    ///   - sessionTimeout: a member that is idle for longer loses its partitions.
    ///   - tombstoneAge: how long a compacted topic keeps a tombstone.
    ///   - now: microseconds since 1970, for the records' times, retention and sessions.
    public init(
        sessionTimeout: Duration = .seconds(6), tombstoneAge: Duration = .seconds(24 * 3600),
        now: @escaping @Sendable () -> Int64 = MemoryLogServer.systemTime
    ) {
        self.sessionTimeout = sessionTimeout
        self.tombstoneAge = tombstoneAge
        self.now = now
    }

    public static let systemTime: @Sendable () -> Int64 = {
        Int64(Date().timeIntervalSince1970 * 1e6)
    }

    /// Makes every call fail with `unavailable` until `comeBack`. Acknowledged records stay.
    public func goAway() { contents.withLock { $0.isAway = true } }

    public func comeBack() {
        let now = now()
        contents.withLock { contents in
            contents.isAway = false
            for group in contents.groups.keys { contents.groups[group]?.hearAll(at: now) }
        }
        bell.ring()
    }

    /// Holds appends in their logs' queues until `resumeAppends`.
    public func holdAppends() { setAppendsHeld(true) }

    public func resumeAppends() { setAppendsHeld(false) }

    private func setAppendsHeld(_ isHeld: Bool) {
        contents.withLock { contents in
            guard contents.isHoldingAppends != isHeld else { return }
            contents.isHoldingAppends = isHeld
            if isHeld { appends.suspend() } else { appends.resume() }
        }
    }

    /// Wakes all waiting tasks, so that they read the new time from `now`.
    public func timePassed() { bell.ring() }

    public func compact() throws(EventLogError) {
        try access { contents, now in
            for name in contents.topics.keys {
                contents.topics[name]?.compact(tombstonesBefore: now - tombstoneAge.microseconds)
            }
        }
    }

    func access<Result: Sendable>(
        _ body: (inout Contents, _ now: Int64) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        let now = now()
        return try contents.withLock { contents throws(EventLogError) in
            guard !contents.isAway else { throw EventLogError(.unavailable, "the log is away") }
            return try body(&contents, now)
        }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) { appends.async(execute: work) }
}

extension MemoryLogServer.Contents {
    /// The topic at this time, after retention.
    mutating func topic(_ name: String, at now: Int64) throws(EventLogError) -> MemoryTopic {
        topics[name]?.retain(at: now)
        guard let topic = topics[name] else {
            throw EventLogError(.unknownTopic, "there is no topic \(name)")
        }
        return topic
    }

    mutating func create(_ topic: TopicSpecification) throws(EventLogError) {
        guard let known = topics[topic.name] else {
            topics[topic.name] = MemoryTopic(topic)
            return
        }
        guard known.partitions.count == topic.partitions else {
            throw EventLogError(
                .partitionMismatch,
                "\(topic.name) has \(known.partitions.count) partitions, not \(topic.partitions)")
        }
        topics[topic.name]?.specification = topic
    }

    /// Appends all or none of the records.
    mutating func append(_ records: [LogRecord], at now: Int64) throws(EventLogError) {
        var places: [TopicPartition] = []
        for record in records {
            guard let topic = topics[record.topic] else {
                throw EventLogError(.unknownTopic, "there is no topic \(record.topic)")
            }
            places.append(try topic.place(of: record))
        }
        for (record, place) in zip(records, places) {
            topics[place.topic]?.partitions[place.partition].append(record, to: place, at: now)
        }
    }
}
