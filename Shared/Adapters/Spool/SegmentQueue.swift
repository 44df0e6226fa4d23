/// The segments of one queue, oldest first, and the position up to which they are acknowledged.
struct SegmentQueue {
    struct Segment {
        var name: String
        var bytes: Int
        /// Records in the segment, acknowledged or not.
        var count: Int
        var last: UInt64
    }

    let name: String
    private(set) var segments: [Segment] = []
    /// The sequence of the first record that is not acknowledged.
    private(set) var first: UInt64 = 0
    private(set) var damagedBytes = 0
    private var next: UInt64 = 0
    /// Whether the last segment is this process's own. Segments of earlier ones may end in the
    /// middle of a record, so nothing is appended to them.
    private var isOpen = false
    private(set) var waiting = 0

    init(_ name: String, names: [String], disk: any SpoolDisk) throws(SpoolError) {
        self.name = name
        if names.contains(positionFile),
            let record = SpoolFrame.records(in: try disk.read(positionFile)).records.last
        {
            first = record.sequence
        }
        next = first
        for file in names.filter({ $0.hasPrefix("\(name)-") }).sorted() {
            let content = try disk.read(file)
            let (records, damaged) = SpoolFrame.records(in: content)
            damagedBytes += damaged
            guard let last = records.map(\.sequence).max(), last >= first else {
                try disk.remove(file)
                continue
            }
            // A process that was killed had no time to do this.
            try disk.sync(file)
            segments.append(
                Segment(name: file, bytes: content.count, count: records.count, last: last))
            waiting += records.count { $0.sequence >= first }
            next = max(next, last + 1)
        }
    }

    var bytes: Int { segments.reduce(0) { $0 + $1.bytes } }

    mutating func append(
        _ bytes: [UInt8], segmentBytes: Int, _ disk: any SpoolDisk
    ) throws(SpoolError) {
        let frame = SpoolFrame.bytes(SpoolRecord(sequence: next, bytes: bytes))
        if !isOpen || segments.isEmpty || segments.last!.bytes + frame.count > segmentBytes {
            segments.append(Segment(name: segmentName(of: next), bytes: 0, count: 0, last: next))
            isOpen = true
        }
        let last = segments.count - 1
        do throws(SpoolError) {
            try disk.append(frame, to: segments[last].name)
        } catch {
            // The part that was written is no record. Without it the next record follows directly.
            try? disk.cut(segments[last].name, to: segments[last].bytes)
            if segments[last].bytes == 0 { segments.removeLast() }
            isOpen = false
            // The name of the next segment must be a new one.
            next += 1
            throw error
        }
        segments[last].bytes += frame.count
        segments[last].count += 1
        segments[last].last = next
        next += 1
        waiting += 1
    }

    func oldest(
        atMost most: Int, bytes limit: Int, _ disk: any SpoolDisk
    ) throws(SpoolError) -> [SpoolRecord] {
        var found: [SpoolRecord] = []
        var size = 0
        for segment in segments {
            for record in SpoolFrame.records(in: try disk.read(segment.name)).records
            where record.sequence >= first {
                guard found.count < most, found.isEmpty || size + record.bytes.count <= limit
                else { return found }
                size += record.bytes.count
                found.append(record)
            }
            // One segment is enough for a batch, unless all its records were damaged.
            if !found.isEmpty { return found }
        }
        return found
    }

    mutating func acknowledge(
        through sequence: UInt64, _ disk: any SpoolDisk
    ) throws(SpoolError) {
        guard sequence >= first else { return }
        let left = try left(after: sequence, disk)
        first = sequence + 1
        waiting = left
        try disk.replace(
            positionFile, with: SpoolFrame.bytes(SpoolRecord(sequence: first, bytes: [])))
        while let oldest = segments.first, oldest.last < first {
            segments.removeFirst()
            if segments.isEmpty { isOpen = false }
            try disk.remove(oldest.name)
        }
    }

    /// The number of records after this one. Only the segment that has it is read.
    private func left(after sequence: UInt64, _ disk: any SpoolDisk) throws(SpoolError) -> Int {
        var left = 0
        for segment in segments where segment.last > sequence {
            let isWhole = segment.name > segmentName(of: sequence)
            if isWhole {
                left += segment.count
            } else {
                left += SpoolFrame.records(in: try disk.read(segment.name)).records
                    .count { $0.sequence > sequence }
            }
        }
        return left
    }

    /// Removes the oldest segment and returns the number of its records that were waiting. Nil
    /// where there is none.
    mutating func dropOldest(_ disk: any SpoolDisk) throws(SpoolError) -> Int? {
        guard let oldest = segments.first else { return nil }
        // Records before `first` are not waiting any more.
        let left = try left(after: first == 0 ? oldest.last : max(oldest.last, first - 1), disk)
        let gone = waiting - left
        try disk.remove(oldest.name)
        segments.removeFirst()
        if segments.isEmpty { isOpen = false }
        waiting = left
        return gone
    }

    private func segmentName(of sequence: UInt64) -> String {
        let digits = String(sequence, radix: 16)
        return "\(name)-\(String(repeating: "0", count: 16 - digits.count) + digits)"
    }

    private var positionFile: String { "position.\(name)" }
}
