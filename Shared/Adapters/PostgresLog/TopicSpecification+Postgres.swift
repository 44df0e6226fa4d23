import EventLog

extension TopicSpecification {
    var cleanupName: String {
        switch cleanup {
        case .delete: "delete"
        case .compact: "compact"
        case .forever: "forever"
        }
    }

    var retentionMicroseconds: Int64? {
        if case .delete(let after) = cleanup { after.microseconds } else { nil }
    }

    /// The time that one table covers: a day, or a quarter of a short retention, but at least a
    /// second. So records outlive the retention by a quarter at most.
    var spanMicroseconds: Int64? {
        retentionMicroseconds.map { max(1_000_000, min(86_400_000_000, $0 / 4)) }
    }
}

/// Calls the log's function `partition`. It is outside of `StoredTopic`, whose own `partition`
/// would hide that function.
private func partitionOfKey(_ key: [UInt8], _ partitions: Int) -> Int {
    partition(forKey: key, of: partitions)
}

extension StoredTopic {
    /// The partition that the record goes to. Throws `tooLarge`, or `other` for a partition that
    /// does not exist.
    func partition(for record: LogRecord) throws(EventLogError) -> PartitionKey {
        guard record.byteCount <= maximumRecordBytes else {
            throw EventLogError(
                .tooLarge, "\(record.byteCount) bytes; \(name) takes \(maximumRecordBytes)")
        }
        let chosen = record.partition ?? partitionOfKey(record.key, partitions)
        guard (0..<partitions).contains(chosen) else {
            throw EventLogError(.other, "\(name) has no partition \(chosen)")
        }
        return PartitionKey(topic: id, partition: Int32(chosen))
    }
}
