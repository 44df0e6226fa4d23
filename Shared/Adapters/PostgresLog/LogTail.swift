import EventLog
import Synchronization

/// The newest records that this process has appended and that somebody in it follows, so that they
/// need not be asked of the database: only what is committed, and without a gap per partition.
///
/// What others append is not here. So this answers only "what comes next of ours", and whoever
/// follows asks the database as well: at the start, when told of others' records, and now and then.
final class LogTail: Sendable {
    /// What is kept of all partitions together at most; followers that lag by more ask the
    /// database.
    static let maximumBytes = 2 << 20

    private struct Segment {
        /// Offsets are dense.
        var records: [StoredRecord] = []
        var bytes = 0
        /// Stays when the records go, so that it is known that there were some.
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

        /// The fullest partitions lose half of what they have, until an eighth is free again: so
        /// the quiet ones keep theirs, and arrays are not moved at every append.
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

    /// Takes committed records of one partition, in order and without a gap. Those before them stay
    /// only if they join up: others may have appended in between.
    func add(_ records: [StoredRecord], to partition: PartitionKey) {
        guard let first = records.first else { return }
        state.withLock { state in
            // Taken out, so that the array is not copied.
            var segment = state.segments.removeValue(forKey: partition) ?? Segment()
            state.bytes -= segment.bytes
            if segment.end != first.offset { segment = Segment() }
            segment.add(records)
            state.bytes += segment.bytes
            state.segments[partition] = segment
            state.trim()
        }
    }

    /// What comes next in the partitions, at most `maximum` records, those of the first partitions
    /// first. Nil when some of it is not here any more.
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
