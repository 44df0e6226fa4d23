import EventLog
import Synchronization

/// The largest record of each topic, as far as this process has made or checked the topics.
///
/// The brokers' own limit is on compressed batches, so they can't say it of one record.
final class RecordLimits: Sendable {
    private let limits = Mutex<[String: Int]>([:])

    func learn(_ topics: [TopicSpecification]) {
        limits.withLock { limits in
            for topic in topics { limits[topic.name] = topic.maximumRecordBytes }
        }
    }

    /// What is wrong with the first record that is too large, if one is.
    func violation(in records: [LogRecord]) -> EventLogError? {
        limits.withLock { limits in
            guard !limits.isEmpty else { return nil }
            for record in records {
                guard let limit = limits[record.topic], record.byteCount > limit else { continue }
                return EventLogError(
                    .tooLarge,
                    "a record of \(record.byteCount) bytes; \(record.topic) allows \(limit)")
            }
            return nil
        }
    }
}
