import EventLog
import Events
import Wire

/// Appends the records of a backup to topics, behind those that an interrupted restore appended.
struct TopicRestoring {
    static let batchRecords = 1_000
    /// An append needs several times what it gets.
    static let batchBytes = 4_000_000

    struct Counts: Sendable {
        var appended = 0
        /// Records of erased devices.
        var erased = 0
        /// Records that are past their retention.
        var aged = 0
    }

    let log: any RestorableLog
    let files: BackupFiles
    let backup: String
    let erased: ErasedDevices
    /// The time at which the restore began. A record with a later one, from a log whose clock was
    /// ahead, gets this. Otherwise it would outlive its retention, and so would all after it.
    let latest: Timestamp

    /// - Parameters:
    ///   - earliest: records that were appended before are left out; nil where all are kept.
    ///   - see: gets each record that is kept, also where it is in the log already.
    func restore(
        _ content: BackupManifest.TopicContent, earliest: Timestamp?,
        see: (StoredRecord) async throws -> Void = { _ in }
    ) async throws -> Counts {
        var counts = Counts()
        let done = try await lastOffsets(of: content.name)
        var batch: [RestoredRecord] = []
        var bytes = 0
        // Readers search by time, so times of a partition must not decrease.
        var newest: [Int: Int64] = [:]
        var kept: [Int: Int64] = [:]
        for file in content.files {
            let unpacked = try await files.read(file, of: backup)
            for var record in try BackupRecordCodec.records(unpacked, topic: content.name) {
                record.appendedAtMicroseconds = min(
                    record.appendedAtMicroseconds, latest.microseconds)
                guard isKept(record, earliest, &counts) else { continue }
                try await see(record)
                kept[record.partition, default: 0] += 1
                let time = max(newest[record.partition] ?? .min, record.appendedAtMicroseconds)
                newest[record.partition] = time
                guard record.offset > done[record.partition] ?? -1 else { continue }
                batch.append(
                    RestoredRecord(translated(record), appendedAtMicroseconds: time))
                bytes += record.byteCount
                guard batch.count >= Self.batchRecords || bytes >= Self.batchBytes else { continue }
                try await log.restore(batch)
                counts.appended += batch.count
                (batch, bytes) = ([], 0)
            }
        }
        if !batch.isEmpty { try await log.restore(batch) }
        counts.appended += batch.count
        try await require(kept, in: content.name)
        return counts
    }

    /// Offsets of a restored topic begin at 0 and have no gaps, so its ends count all that was
    /// appended.
    private func require(_ kept: [Int: Int64], in topic: String) async throws {
        for (partition, bounds) in try await log.bounds(of: topic).enumerated() {
            let wanted = kept[partition] ?? 0
            guard bounds.end == wanted else {
                throw BackupFault(
                    "\(topic)/\(partition) has \(bounds.end) records instead of \(wanted): "
                        + "somebody else writes to the log, or erasures came while the restore was "
                        + "interrupted. Stop all services, empty the log and the database, and "
                        + "begin again")
            }
        }
    }

    /// Counts a record that is left out.
    private func isKept(
        _ record: StoredRecord, _ earliest: Timestamp?, _ counts: inout Counts
    ) -> Bool {
        if let earliest, record.appendedAtMicroseconds < earliest.microseconds {
            counts.aged += 1
            return false
        }
        if !DeviceErased.isIn(record), erased.covers(record) {
            counts.erased += 1
            return false
        }
        return true
    }

    private func translated(_ record: StoredRecord) -> LogRecord {
        LogRecord(
            topic: record.topic, partition: record.partition, key: record.key ?? [],
            value: RestoredOffset.translated(record) ?? record.value,
            headers: RestoredOffset.replace(in: record.headers, with: record.offset))
    }

    /// For each partition the former offset of its last record.
    private func lastOffsets(of topic: String) async throws -> [Int: Int64] {
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for (place, range) in try await log.ranges(of: [topic]) where !range.isEmpty {
            ranges[place] = range.upperBound - 1..<range.upperBound
        }
        var last: [Int: Int64] = [:]
        try await log.readRange(ranges) { records in
            for record in records {
                guard let offset = RestoredOffset.of(record.headers) else {
                    throw BackupFault(
                        "\(record.topicPartition) has a record that is not from this restore: "
                            + "somebody else writes to the log. Stop all services, empty the log "
                            + "and the database, and begin again")
                }
                last[record.partition] = offset
            }
        }
        return last
    }

    /// Lets a group go on with the first record that it had not read.
    func move(_ group: BackupManifest.Group) async throws {
        let ranges = try await log.ranges(of: [group.topic])
        var moves = ranges.mapValues(\.upperBound)
        try await log.readRange(ranges) { records in
            for record in records {
                let wanted =
                    group.offsets.indices.contains(record.partition)
                    ? group.offsets[record.partition] : 0
                guard RestoredOffset.of(record.headers) ?? 0 >= wanted else { continue }
                moves[record.topicPartition] = min(
                    moves[record.topicPartition] ?? .max, record.offset)
            }
        }
        try await log.moveGroup(group.name, to: moves)
    }
}
