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

    /// How much time one table holds: a day, but a quarter of a short retention, so that records
    /// outlive it by a quarter at most; at least a second.
    var spanMicroseconds: Int64? {
        retentionMicroseconds.map { max(1_000_000, min(86_400_000_000, $0 / 4)) }
    }
}

/// Out here because `StoredTopic` has a `partition` of its own, which would hide the log's
/// function.
private func partitionOfKey(_ key: [UInt8], _ partitions: Int) -> Int {
    partition(forKey: key, of: partitions)
}

extension StoredTopic {
    /// Where the record goes. Throws `tooLarge`, and `other` for a partition that is not there.
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
