import EventLog
import Postgres

/// Builds the calls of `log.append_<topic>` for records of any topics. There is one call per topic.
/// Topics and their partitions are sorted, so that all writers lock in the same order.
struct AppendStatements {
    private struct Call {
        var counts: [Int32: Int64] = [:]
        var partitions: [Int32] = []
        var ranks: [Int64] = []
        var keys: [[UInt8]?] = []
        var values: [[UInt8]?] = []
        var headers: [[UInt8]?] = []
        var records: [PartitionKey: [LogRecord]] = [:]
    }
    private var calls: [Int32: Call] = [:]

    mutating func add(_ record: LogRecord, to partition: PartitionKey) {
        var call = calls.removeValue(forKey: partition.topic) ?? Call()
        let rank = call.counts[partition.partition, default: 0]
        call.counts[partition.partition] = rank + 1
        call.partitions.append(partition.partition)
        call.ranks.append(rank)
        call.keys.append(record.key)
        call.values.append(record.value)
        call.headers.append(record.headers.encoded)
        call.records[partition, default: []].append(record)
        calls[partition.topic] = call
    }

    /// The topics, in the order of the statements.
    var topics: [Int32] { calls.keys.sorted() }
    /// The partitions of all records, each once and in no order.
    var partitions: [PartitionKey] {
        var partitions: [PartitionKey] = []
        for call in calls.values { partitions += call.records.keys }
        return partitions
    }

    /// The calls. Each returns a row per partition: the partition, its first new offset and the
    /// time.
    var statements: [PostgresStatement] {
        topics.compactMap { topic in
            guard let call = calls[topic] else { return nil }
            let counts = call.counts.sorted { $0.key < $1.key }
            return PostgresStatement(
                "SELECT * FROM log.append_\(topic)($1, $2, $3, $4, $5, $6, $7)",
                [
                    .int32Array(counts.map(\.key)), .int64Array(counts.map(\.value)),
                    .int32Array(call.partitions), .int64Array(call.ranks),
                    .bytesArray(call.keys), .bytesArray(call.values), .bytesArray(call.headers),
                ])
        }
    }

    /// The appended records of the wanted partitions, as the log stores them. `results` are the
    /// rows that the statements returned.
    func stored(
        _ results: [PostgresRows], in wanted: [PartitionKey]
    ) throws(PostgresError) -> [PartitionKey: [StoredRecord]] {
        var stored: [PartitionKey: [StoredRecord]] = [:]
        for (topic, rows) in zip(topics, results) {
            for row in rows {
                let partition = PartitionKey(topic: topic, partition: try row[0])
                guard wanted.contains(partition), let records = calls[topic]?.records[partition]
                else { continue }
                let first: Int64 = try row[1]
                let appendedAt: Int64 = try row[2]
                stored[partition] = zip(first..., records).map { offset, record in
                    StoredRecord(
                        topic: record.topic, partition: Int(partition.partition), offset: offset,
                        appendedAtMicroseconds: appendedAt, key: record.key, value: record.value,
                        headers: record.headers)
                }
            }
        }
        return stored
    }
}
