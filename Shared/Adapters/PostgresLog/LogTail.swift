import EventLog
import Synchronization

/// The newest records that this process has appended and that somebody in it follows, so that they
/// need not be asked of the database: only what is committed, and without a gap per partition.
///
/// What others append is not here. So this answers only "what comes next of ours", and whoever
/// follows asks the database as well: at the start, when told of others' records, and now and then.
final class LogTail: Sendable {
    /// What is kept for a partition at most; followers that lag by more ask the database.
    static let maximumBytes = 262_144

    private struct Segment {
        /// Offsets are dense.
        var records: [StoredRecord] = []
        var bytes = 0

        var end: Int64 { (records.last?.offset ?? -1) + 1 }

        /// Drops an eighth more than it must, so that the array is not moved at every append.
        mutating func trim() {
            guard bytes > LogTail.maximumBytes else { return }
            var dropped = 0
            while dropped < records.count, bytes > LogTail.maximumBytes / 8 * 7 {
                bytes -= records[dropped].byteCount
                dropped += 1
            }
            records.removeFirst(dropped)
        }
    }
    private let segments = Mutex<[PartitionKey: Segment]>([:])

    /// Takes committed records of one partition, in order and without a gap. Those before them stay
    /// only if they join up: others may have appended in between.
    func add(_ records: [StoredRecord], to partition: PartitionKey) {
        guard let first = records.first else { return }
        segments.withLock { segments in
            // Taken out, so that the array is not copied.
            var segment = segments.removeValue(forKey: partition) ?? Segment()
            if segment.end != first.offset { segment = Segment() }
            segment.records += records
            segment.bytes += records.reduce(0) { $0 + $1.byteCount }
            segment.trim()
            segments[partition] = segment
        }
    }

    /// What comes next in the partitions, at most `maximum` records, those of the first partitions
    /// first. Nil when some of it is not here any more.
    func records(
        after places: [(partition: PartitionKey, next: Int64)], maximum: Int
    ) -> [(partition: PartitionKey, records: ArraySlice<StoredRecord>)]? {
        segments.withLock { segments in
            var found: [(PartitionKey, ArraySlice<StoredRecord>)] = []
            var room = maximum
            for (partition, next) in places {
                guard let segment = segments[partition], next < segment.end else { continue }
                guard let first = segment.records.first?.offset, first <= next else { return nil }
                let records = segment.records[Int(next - first)...].prefix(room)
                found.append((partition, records))
                room -= records.count
            }
            return found
        }
    }
}
