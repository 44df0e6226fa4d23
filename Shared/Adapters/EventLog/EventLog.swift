/// An append-only log of keyed records in partitioned topics, with consumer groups.
///
/// Three implementations pass one contract suite: `KafkaLog`, `PostgresLog` and, for tests,
/// `MemoryLog`. They promise:
///
/// - records of one key keep the order in which they were appended by one process;
/// - acknowledged records are durable in the stated fault model, and an unknown outcome is reported
///   as such;
/// - offsets grow but may have gaps; readers see committed records only;
/// - each partition of a group is owned by at most one live member that can commit. `commit` by a
///   member that lost a partition throws `fenced` and changes nothing.
public protocol EventLog: Sendable {
    /// Creates the topics that are missing and leaves the others as they are. Throws
    /// `partitionMismatch` when a topic exists with another number of partitions.
    func createTopics(_ topics: [TopicSpecification]) async throws(EventLogError)

    /// The work that `createTopics` would do for these topics, which leaves out topics that are as
    /// they should be. Changes nothing.
    func differences(
        from topics: [TopicSpecification]
    ) async throws(EventLogError) -> [TopicDifference]

    func partitionCount(of topic: String) async throws(EventLogError) -> Int

    /// Appends all records and calls `completion` once, on a thread of the log's own, when every
    /// one of them is durable or when that failed. It returns at once and never blocks; a full
    /// queue completes with `backPressure`. On failure some of the records may be in the log.
    func append(
        _ records: [LogRecord],
        completion: @escaping @Sendable (Result<Void, EventLogError>) -> Void)

    /// For each partition of the topic, the first offset in the log and the next free one. Records
    /// of open transactions count, though nobody may read them yet.
    func bounds(of topic: String) async throws(EventLogError) -> [PartitionBounds]

    /// For each partition, the offset up to which readers get records now. It is less than the end
    /// while a transaction is open.
    func readableEnds(of topic: String) async throws(EventLogError) -> [Int64]

    /// For each partition, the first offset that was appended at or after the time. Where there is
    /// none, the partition's end.
    func offsets(
        of topic: String, atMicroseconds: Int64
    ) async throws(EventLogError) -> [Int64]

    /// Reads partitions without a group, from the given offsets on.
    func reader(from start: [TopicPartition: Int64]) async throws(EventLogError) -> any LogReader

    /// Joins a group; partitions arrive through `poll`.
    func join(group: String, topics: [String]) async throws(EventLogError) -> any GroupMember

    /// For each partition of the topics, the offset that the group has committed. A partition
    /// without a commit is missing from the result. Waits for commits that are under way.
    func committed(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64]

    /// The group's committed offsets like `committed`, but without waiting for commits under way.
    func lastCommitted(
        group: String, topics: [String]
    ) async throws(EventLogError) -> [TopicPartition: Int64]

    /// Sets the group's committed offsets. Throws `fenced` and changes nothing while the group has
    /// members, because they would go on reading from where they are.
    func moveGroup(
        _ group: String, to offsets: [TopicPartition: Int64]
    ) async throws(EventLogError)

    /// Removes records with these keys from the topics: in each, those before the last record of
    /// the key whose headers contain `mark`. Offsets get gaps.
    ///
    /// - Returns: whether this log can remove single records. Kafka can't: there they go when their
    ///   retention ends.
    func erase(
        _ keys: [[UInt8]], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool

    /// Removes the records at these offsets. Offsets get gaps.
    ///
    /// - Returns: whether this log can remove single records.
    func erase(_ records: [TopicPartition: [Int64]]) async throws(EventLogError) -> Bool

    /// Waits for pending appends and frees all resources. Later calls throw `closed`.
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
    /// Returns at most `maximum` records, and fewer if their values have more than
    /// `StoredRecord.batchBytes`. It waits up to `wait` for the first one, then returns all
    /// that are there; empty if none came. Throws `offsetOutOfRange` when a start offset is not in
    /// the log.
    func next(maximum: Int, wait: Duration) async throws(EventLogError) -> [StoredRecord]
    /// For each partition, the offset at which reading continues. Gaps that the log has shown to be
    /// empty count as read. So a reader can see that it has reached `PartitionBounds.end`.
    func positions() async throws(EventLogError) -> [TopicPartition: Int64]
    func close() async
}

/// The result of one `poll` of a group member.
public enum GroupPoll: Sendable {
    /// The member owns these partitions from now on, in addition to its earlier ones. Records come
    /// from the group's committed offset, or from the start if there is none; `seek` changes that.
    case assigned([TopicPartition])
    /// The member no longer owns these partitions and must drop their state. It can commit nothing
    /// for them.
    case revoked([TopicPartition])
    /// Records in order within each partition; empty when the wait passed without any.
    case records([StoredRecord])
}

/// The reason why a member cannot read one of its partitions.
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

    /// Holds back the records of these partitions until `begin`. The member keeps polling
    /// meanwhile, so it stays in the group. Call this for partitions just assigned or sought.
    ///
    /// - Returns: the offset from which each will be read; below 0 for the oldest record, where the
    ///   group has committed none. None for partitions that the member no longer owns.
    @discardableResult
    func hold(
        _ partitions: [TopicPartition]
    ) async throws(EventLogError) -> [TopicPartition: Int64]

    /// Lets the records of held partitions flow. Partitions that the member no longer owns are
    /// ignored.
    func begin(_ partitions: [TopicPartition]) async throws(EventLogError)

    /// The known reasons why this member cannot read some of its partitions, if waiting a moment
    /// does not help. Empty in normal operation.
    func hindrances() async -> [Hindrance]

    /// Appends the outputs and advances the group's offsets in one transaction of the log: both or
    /// neither. `next` gives, per partition, the offset after the last processed record. It may be
    /// the one that is committed already.
    ///
    /// Throws `fenced` when the member no longer owns a partition, and any retriable error. Nothing
    /// was written then; only `unknownOutcome` leaves it unclear. After every error the member goes
    /// back to the committed offsets and drops the state of all partitions. Its next polls report
    /// them as revoked and then as assigned again.
    func commit(
        _ outputs: [LogRecord], next: [TopicPartition: Int64]
    ) async throws(EventLogError)

    /// Leaves the group at once, so that other members get its partitions without waiting for the
    /// time-out.
    func close() async
}

extension EventLog {
    public func differences(
        from topics: [TopicSpecification]
    ) async throws(EventLogError) -> [TopicDifference] { [] }

    public func erase(
        _ keys: [[UInt8]], of topics: [String], before mark: [UInt8]
    ) async throws(EventLogError) -> Bool { false }

    public func erase(
        _ records: [TopicPartition: [Int64]]
    ) async throws(EventLogError) -> Bool { false }

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

    /// Joins a group while the body runs.
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
