/// A record of a backup, with the time at which a log first appended it.
public struct RestoredRecord: Hashable, Sendable {
    /// Its partition is set.
    public var record: LogRecord
    public var appendedAtMicroseconds: Int64

    public init(_ record: LogRecord, appendedAtMicroseconds: Int64) {
        self.record = record
        self.appendedAtMicroseconds = appendedAtMicroseconds
    }
}

/// Keeps a log from compacting.
public protocol CompactionHold: Sendable {
    /// Throws when the hold was lost, so that records may be gone.
    func check() async throws(EventLogError)

    func end() async
}

/// A log that can be backed up. It takes records of a backup with the times of their first appends.
/// So a record lives no longer than before, and whoever seeks a time finds it where it was.
public protocol RestorableLog: EventLog {
    /// Keeps what newer records replace in the log until the hold ends. So a reader finds all that
    /// was the newest when the hold began, although more is appended.
    func holdCompaction() async throws(EventLogError) -> any CompactionHold

    /// Lets the records of these topics keep their own times until `endRestoring`. Nobody else may
    /// append meanwhile.
    func beginRestoring(_ topics: [TopicSpecification]) async throws(EventLogError)

    /// Appends records whose partitions are set, and returns when all are durable. Within a
    /// partition their times don't decrease.
    func restore(_ records: [RestoredRecord]) async throws(EventLogError)

    func endRestoring(_ topics: [TopicSpecification]) async throws(EventLogError)
}
