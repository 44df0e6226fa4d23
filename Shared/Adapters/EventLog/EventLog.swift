/// An append-only log of keyed records in partitioned topics, with consumer groups.
///
/// Three implementations pass one contract suite: `KafkaLog`, `PostgresLog` and, for tests,
/// `MemoryLog`. They promise:
///
/// - records of one key keep the order in which they were appended by one process;
/// - what was acknowledged is durable in the stated fault model; an unknown outcome is said;
/// - offsets grow but may have gaps; readers see committed records only;
/// - a group's partitions are shared among its live members, each owned by at most one that can
///   commit: `commit` from a member that lost a partition throws `fenced` and changes nothing.
public protocol EventLog: Sendable {
    /// Makes the topics that are missing; harmless when they are there.
    /// Throws `partitionMismatch` when one exists with another number of partitions.
    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError)

    func partitionCount(of topic: String) async throws(EventLogError) -> Int

    /// Appends all records and calls `completion` once, on a thread of the log's own, when every
    /// one of them is durable or when that failed. It returns at once and never blocks; a full
    /// queue completes with `backPressure`. On failure some of the records may be in the log.
    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void)

    /// For each partition of the topic, the first offset that is there and the next that is not.
    /// What open transactions have written counts as there, though nobody may read it yet.
    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds]

    /// For each partition, the offset up to which readers get records now: less than the end while
    /// a transaction is open.
    func readableEnds(of topic: String) async throws(EventLogError) -> [Int64]

    /// For each partition, the first offset that was appended at or after the time; the end where
    /// there is none.
    func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64]

    /// Reads partitions without a group, from the given offsets on.
    func reader(from start: [TopicPartition: Int64]) async throws(EventLogError) -> any LogReader

    /// Joins a group; partitions arrive through `poll`.
    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember

    /// For each partition of the topics, what the group has committed; absent where nothing yet.
    /// Waits for commits that are under way.
    func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64]

    /// The same without the wait: what is under way does not count.
    func lastCommitted(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64]

    /// Moves what the group has committed. Throws `fenced` and changes nothing while the group has
    /// members: they would work on from where they are.
    func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError)

    /// Waits for what was appended and lets go of everything. Later calls throw `closed`.
    func close() async
}

public struct PartitionBounds: Hashable, Sendable {
    /// The first offset that the log still holds.
    public var start: Int64
    /// The offset that the next committed record will be at or after.
    public var end: Int64

    public init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }
}

/// Reads without a group. One task uses it at a time.
public protocol LogReader: Sendable {
    /// At most `maximum` records; waits up to `wait` for the first, then gives what there is. Empty
    /// when nothing came. Throws `offsetOutOfRange` when a start offset is not in the log.
    func next(maximum: Int, wait: Duration) async throws(EventLogError) -> [StoredRecord]
    /// For each partition, the offset that reading goes on at: gaps that the log has shown to be
    /// empty count as read, so that a reader can tell that it has reached `PartitionBounds.end`.
    func positions() async throws(EventLogError) -> [TopicPartition: Int64]
    func close() async
}

/// What a group member's `poll` brings.
public enum GroupPoll: Sendable {
    /// These partitions are this member's from now on, in addition to those it had. Records flow
    /// from the group's committed offset, else from the start; `seek` changes that.
    case assigned([TopicPartition])
    /// These are no longer this member's: forget their state. Nothing of them can be committed.
    case revoked([TopicPartition])
    /// Records in order within each partition; empty when the wait passed without any.
    case records([StoredRecord])
}

/// What keeps one partition of a group member from being read.
public struct Hindrance: Hashable, Sendable {
    public var partition: TopicPartition
    public var error: EventLogError

    public init(_ partition: TopicPartition, _ error: EventLogError) {
        self.partition = partition
        self.error = error
    }
}

/// A member of a consumer group. One task drives it: poll, work, commit, poll again. A member that
/// does not poll for the log's session time-out loses its partitions.
public protocol GroupMember: Sendable {
    func poll(maximum: Int, wait: Duration) async throws(EventLogError) -> GroupPoll

    /// The next poll reads the partition from here. Throws `fenced` when it is not assigned.
    func seek(_ partition: TopicPartition, to offset: Int64) async throws(EventLogError)

    /// Keeps back the records of partitions that the last poll reported as assigned, or that were
    /// sought since, until `begin`: the polls that keep this a member go on meanwhile.
    func hold(_ partitions: [TopicPartition]) async throws(EventLogError)

    /// Lets the records of held partitions flow. What is no longer this member's is left out.
    func begin(_ partitions: [TopicPartition]) async throws(EventLogError)

    /// What keeps partitions that are this member's from being read, as far as it is known and
    /// waiting does not mend it at once; empty in normal times.
    func hindrances() async -> [Hindrance]

    /// Appends the outputs and moves the group's offsets on, all or nothing: in one transaction of
    /// the log. `next` gives, per partition, the offset after the last record worked on.
    ///
    /// Throws `fenced` when a partition is no longer this member's, and any retriable error; then
    /// nothing happened, or (`unknownOutcome`) it is not known: in every case the member rewinds to
    /// what is committed, drops its state of all partitions and reports them as revoked and then
    /// assigned again in the next polls.
    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) async throws(EventLogError)

    /// Leaves the group at once, so that others take over without waiting for the time-out.
    func close() async
}

extension EventLog {
    public func readableEnds(of topic: String) async throws(EventLogError) -> [Int64] {
        var ends: [Int64] = []
        for bounds in try await bounds(of: topic) { ends.append(bounds.end) }
        return ends
    }

    public func lastCommitted(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64] {
        try await committed(group: group, topics: topics)
    }

    /// Appends and returns when all records are durable.
    public func append(_ records: [LogRecord]) async throws(EventLogError) {
        let outcome = await withCheckedContinuation { continuation in
            append(records) { continuation.resume(returning: $0) }
        }
        try outcome.get()
    }

    /// Joins a group for as long as the body lasts.
    public func withMember(
        of group: String, topics: [String], _ body: (any GroupMember) async throws -> Void
    ) async throws {
        let member = try await join(group: group, topics: topics)
        do {
            try await body(member)
        } catch {
            await member.close()
            throw error
        }
        await member.close()
    }
}
