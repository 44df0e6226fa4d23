/// The next offset of a partition, in a record of its processor's state topic.
///
/// A transaction advances the group's offset and appends outputs and state, all or nothing. Kafka
/// can break that when all its brokers end at once. The coordinator then leaves out abort markers,
/// and the producer's next commit makes the aborted offset count. Kafka 4.3.1 lost records that way
/// (docs/decisions/0066). The state is appended with the outputs, so its own offset is right.
enum ProcessedOffset {
    /// No key of a state begins with `~`.
    static let key = Array("~offset".utf8)

    static func record(_ offset: Int64, of partition: Int, in topic: String) -> LogRecord {
        LogRecord(
            topic: topic, partition: partition, key: key, value: Array(String(offset).utf8))
    }

    /// The offset in a record of the state topic; nil for any other record.
    static func offset(in record: StoredRecord) -> Int64? {
        guard record.key == key, let value = record.value else { return nil }
        return Int64(String(decoding: value, as: UTF8.self))
    }

    /// Whether the group's offset is ahead of the state's by no more than a transaction or two. It
    /// is farther ahead where somebody has moved it, or where a backup put back the state alone.
    static func isBehind(_ next: Int64, _ start: Int64, atMost batch: Int64) -> Bool {
        next < start && start - next <= 2 * batch
    }
}
