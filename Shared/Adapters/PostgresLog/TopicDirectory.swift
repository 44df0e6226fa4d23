import EventLog
import Postgres
import Synchronization

/// A topic as stored in the database.
struct StoredTopic: Sendable {
    var id: Int32
    var name: String
    var partitions: Int
    var maximumRecordBytes: Int
    var isCompacted: Bool
}

/// A partition, identified by its topic's number.
struct PartitionKey: Hashable, Comparable, Sendable {
    var topic: Int32
    var partition: Int32

    static func < (left: Self, right: Self) -> Bool {
        (left.topic, left.partition) < (right.topic, right.partition)
    }

    /// Hashes one combined number, because partitions are looked up for every record.
    func hash(into hasher: inout Hasher) {
        hasher.combine(Int64(topic) << 32 | Int64(partition))
    }
}

/// The topics that this process has used. The number of partitions never changes. Limits change
/// when a topic is created again, and are then read again.
final class TopicDirectory: Sendable {
    private let topics = Mutex<[String: StoredTopic]>([:])

    func known(_ name: String) -> StoredTopic? { topics.withLock { $0[name] } }

    func forget(_ names: [String]) {
        topics.withLock { for name in names { $0[name] = nil } }
    }

    /// The topic of this name. Throws `unknownTopic` when the database has no such topic.
    func topic(_ name: String, _ pool: PostgresPool) async throws(EventLogError) -> StoredTopic {
        if let topic = known(name) { return topic }
        let row: PostgresRow?
        do {
            row = try await pool.read(
                """
                SELECT id, partitions, maximum_record_bytes, cleanup = 'compact' AS compacted
                FROM log.topics WHERE name = $1
                """, [.text(name)]
            ).first
        } catch { throw EventLogError(error) }
        guard let row else { throw EventLogError(.unknownTopic, "there is no topic \(name)") }
        do {
            let topic = StoredTopic(
                id: try row["id"], name: name, partitions: try row["partitions"],
                maximumRecordBytes: try row["maximum_record_bytes"],
                isCompacted: try row["compacted"])
            topics.withLock { $0[name] = topic }
            return topic
        } catch { throw EventLogError(error) }
    }
}
