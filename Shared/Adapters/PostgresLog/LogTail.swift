import EventLog
import Synchronization

/// The newest records that this process has appended, so that its readers need not ask the database
/// for them. It holds only committed records of partitions that are read here, without a gap per
/// partition.
///
/// Records that other processes append are missing. So readers must ask the database as well: at
/// the start, after a notification, and from time to time.
final class LogTail: Sendable {
    /// The limit for all partitions together. Readers that lag behind by more ask the database.
    static let maximumBytes = 2 << 20

    private struct Segment {
        /// The records, whose offsets have no gaps.
        var records: [StoredRecord] = []
        var bytes = 0
        /// The offset after the last record. It stays when records are dropped, so that a reader
        /// knows that there were some.
        var end: Int64 = 0

        mutating func add(_ more: [StoredRecord]) {
            records += more
            bytes += more.reduce(0) { $0 + $1.byteCount }
            end = (more.last?.offset ?? -1) + 1
        }

        mutating func drop(downTo limit: Int) {
            var dropped = 0
            while dropped < records.count, bytes > limit {
                bytes -= records[dropped].byteCount
                dropped += 1
            }
            records.removeFirst(dropped)
        }
    }

    private struct State {
        var segments: [PartitionKey: Segment] = [:]
        var bytes = 0

        /// Halves the fullest partitions until an eighth of the limit is free. So quiet partitions
        /// keep their records, and arrays are not moved at every append.
        mutating func trim() {
            guard bytes > LogTail.maximumBytes else { return }
            while bytes > LogTail.maximumBytes / 8 * 7,
                let (fullest, held) = segments.mapValues(\.bytes).max(by: { $0.value < $1.value })
            {
                segments[fullest]?.drop(downTo: held / 2)
                bytes -= held - (segments[fullest]?.bytes ?? 0)
            }
        }
    }
    private let state = Mutex(State())

    /// Adds committed records of one partition, in order and without a gap. Earlier records are
    /// dropped if there is a gap before the new ones, because another process may have appended
    /// there.
    ///
    /// Two connections of this process may report their commits in the wrong order. Then no records
    /// are kept, so readers ask the database.
    func add(_ records: [StoredRecord], to partition: PartitionKey) {
        guard let first = records.first else { return }
        state.withLock { state in
            // Removed from the dictionary first, so that the array is not copied.
            var segment = state.segments.removeValue(forKey: partition) ?? Segment()
            state.bytes -= segment.bytes
            if first.offset < segment.end {
                segment = Segment(end: max(segment.end, first.offset + Int64(records.count)))
            } else {
                if segment.end != first.offset { segment = Segment() }
                segment.add(records)
            }
            state.bytes += segment.bytes
            state.segments[partition] = segment
            state.trim()
        }
    }

    /// Drops all records.
    func forget() { state.withLock { $0 = State() } }

    /// The next records of the partitions, at most `maximum`, with the first partitions first. Nil
    /// when some of them are no longer held.
    /// - Parameter next: the offset to go on from.
    func records(
        of partitions: some Sequence<PartitionKey>, from next: (PartitionKey) -> Int64, maximum: Int
    ) -> [(partition: PartitionKey, records: ArraySlice<StoredRecord>)]? {
        state.withLock { state in
            var found: [(partition: PartitionKey, records: ArraySlice<StoredRecord>)] = []
            var room = maximum
            for partition in partitions {
                guard let segment = state.segments[partition] else { continue }
                let next = next(partition)
                guard next < segment.end else { continue }
                guard let first = segment.records.first?.offset, first <= next else { return nil }
                let records = segment.records[Int(next - first)...].prefix(room)
                found.append((partition, records))
                room -= records.count
            }
            return found
        }
    }
}
