import EventLog

/// The records of one partition, in the order of their offsets; compaction leaves gaps.
struct MemoryPartition: Sendable {
    private(set) var bounds = PartitionBounds(start: 0, end: 0)
    private var records: [StoredRecord] = []

    mutating func append(_ record: LogRecord, to place: TopicPartition, at time: Int64) {
        records.append(
            StoredRecord(
                topic: place.topic, partition: place.partition, offset: bounds.end,
                appendedAtMicroseconds: max(time, records.last?.appendedAtMicroseconds ?? time),
                key: record.key, value: record.value, headers: record.headers))
        bounds.end += 1
    }

    /// Up to `maximum` records from the offset on, and the next offset to read. Throws
    /// `offsetOutOfRange` when the partition does not hold the offset.
    func read(
        from offset: Int64, _ maximum: Int
    ) throws(EventLogError) -> (records: ArraySlice<StoredRecord>, next: Int64) {
        guard (bounds.start...bounds.end).contains(offset) else {
            throw EventLogError(
                .offsetOutOfRange, "\(offset) is not in \(bounds.start)...\(bounds.end)")
        }
        let rest = records[firstIndex { $0.offset >= offset }...]
        let found = rest.prefix(maximum)
        guard found.count < rest.count, let last = found.last else {
            return (found, rest.isEmpty || maximum > 0 ? bounds.end : offset)
        }
        return (found, last.offset + 1)
    }

    func offset(atMicroseconds time: Int64) -> Int64 {
        let index = firstIndex { $0.appendedAtMicroseconds >= time }
        return index < records.count ? records[index].offset : bounds.end
    }

    mutating func removeAll(before time: Int64) {
        guard let first = records.first, first.appendedAtMicroseconds < time else { return }
        records.removeFirst(firstIndex { $0.appendedAtMicroseconds >= time })
        bounds.start = records.first?.offset ?? bounds.end
    }

    /// Removes the records of the key before the last one of them whose headers contain the mark.
    mutating func erase(_ key: [UInt8], before mark: [UInt8]) {
        let last = records.last {
            $0.key == key && Array($0.headers.encoded).firstRange(of: mark) != nil
        }
        guard let last else { return }
        records.removeAll { $0.key == key && $0.offset < last.offset }
    }

    mutating func erase(_ offsets: Set<Int64>) {
        records.removeAll { offsets.contains($0.offset) }
    }

    /// Keeps only the newest record of each key. Tombstones from before the time are removed too,
    /// except the partition's last record.
    mutating func compact(tombstonesBefore time: Int64) {
        let last = records.last?.offset
        var newer: Set<[UInt8]?> = []
        records = records.reversed().filter { record in
            guard newer.insert(record.key).inserted else { return false }
            return record.value != nil || record.appendedAtMicroseconds >= time
                || record.offset == last
        }.reversed()
    }

    /// The first index at which the condition holds. It must stay true from there on.
    private func firstIndex(where holds: (StoredRecord) -> Bool) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(records[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

struct MemoryTopic: Sendable {
    var specification: TopicSpecification
    var partitions: [MemoryPartition]

    init(_ specification: TopicSpecification) {
        self.specification = specification
        partitions = Array(repeating: MemoryPartition(), count: specification.partitions)
    }

    /// The partition that the record goes to. Throws `tooLarge`, or `other` for a partition that
    /// does not exist.
    func place(of record: LogRecord) throws(EventLogError) -> TopicPartition {
        let (name, limit) = (specification.name, specification.maximumRecordBytes)
        guard record.byteCount <= limit else {
            throw EventLogError(.tooLarge, "\(record.byteCount) bytes; \(name) takes \(limit)")
        }
        let chosen = record.partition ?? partition(forKey: record.key, of: partitions.count)
        guard partitions.indices.contains(chosen) else {
            throw EventLogError(.other, "\(name) has no partition \(chosen)")
        }
        return TopicPartition(name, chosen)
    }

    /// Removes records that are older than the topic's retention.
    mutating func retain(at now: Int64) {
        guard case .delete(let age) = specification.cleanup else { return }
        for index in partitions.indices {
            partitions[index].removeAll(before: now - age.microseconds)
        }
    }

    mutating func erase(_ key: [UInt8], before mark: [UInt8]) {
        for index in partitions.indices { partitions[index].erase(key, before: mark) }
    }

    mutating func erase(_ offsets: [Int64], of partition: Int) {
        partitions[partition].erase(Set(offsets))
    }

    mutating func compact(tombstonesBefore time: Int64) {
        guard specification.cleanup == .compact else { return }
        for index in partitions.indices { partitions[index].compact(tombstonesBefore: time) }
    }
}

extension Duration {
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
