public import EventLog
import Foundation
import Synchronization

/// Topics and groups in memory: what a broker is to the log on Kafka. Several logs may share one,
/// each as if it were a process of its own.
public final class MemoryLogServer: Sendable {
    /// The lock for everything but appends: nobody sees a transaction half done.
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
    /// Appends are made here, one after the other.
    private let appends = DispatchQueue(label: "MemoryLog.appends")

    /// - Parameters:
    ///   - sessionTimeout: a member that is not driven for longer loses its partitions.
    ///   - tombstoneAge: how long a compacted topic keeps a tombstone.
    ///   - now: microseconds since 1970, for records' times, retention and sessions.
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

    /// Every call fails with `unavailable` until `comeBack`; what was acknowledged stays.
    public func goAway() { contents.withLock { $0.isAway = true } }

    public func comeBack() {
        let now = now()
        contents.withLock { contents in
            contents.isAway = false
            for group in contents.groups.keys { contents.groups[group]?.hearAll(at: now) }
        }
        bell.ring()
    }

    /// Appends wait in their logs' queues until `resumeAppends`.
    public func holdAppends() { setAppendsHeld(true) }

    public func resumeAppends() { setAppendsHeld(false) }

    private func setAppendsHeld(_ isHeld: Bool) {
        contents.withLock { contents in
            guard contents.isHoldingAppends != isHeld else { return }
            contents.isHoldingAppends = isHeld
            if isHeld { appends.suspend() } else { appends.resume() }
        }
    }

    /// Wakes all who wait, so that they notice the time that `now` gives.
    public func timePassed() { bell.ring() }

    /// Compacts the topics that are made for it.
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
    /// The topic as it is at this time.
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
