import EventLog
import Synchronization

/// The largest record size of each topic that this process has created or checked.
///
/// The brokers' own limit applies to compressed batches, so they can't state it for one record.
final class RecordLimits: Sendable {
    private let limits = Mutex<[String: Int]>([:])

    func learn(_ topics: [TopicSpecification]) {
        limits.withLock { limits in
            for topic in topics { limits[topic.name] = topic.maximumRecordBytes }
        }
    }

    /// A restore adds a header to a record that had fitted. The brokers' own limit has more room.
    static let roomOfRestore = 1_000

    /// The error about the first record that is too large. Nil if all fit.
    ///
    /// - Parameter room: bytes by which a record may exceed the limit.
    func violation(in records: [LogRecord], room: Int = 0) -> EventLogError? {
        limits.withLock { limits in
            guard !limits.isEmpty else { return nil }
            for record in records {
                guard let limit = limits[record.topic], record.byteCount > limit + room else {
                    continue
                }
                return EventLogError(
                    .tooLarge,
                    "a record of \(record.byteCount) bytes; \(record.topic) allows \(limit)")
            }
            return nil
        }
    }
}
