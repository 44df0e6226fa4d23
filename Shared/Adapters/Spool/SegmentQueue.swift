/// The segments of one queue, oldest first, and the position up to which they are acknowledged.
struct SegmentQueue {
    struct Segment {
        var name: String
        var bytes: Int
        /// Records in the segment, acknowledged or not.
        var count: Int
        var last: UInt64
    }

    /// Begins the name of a file that can't be read.
    static let badPrefix = "bad-"
    /// At this number of such files the next one is removed.
    static let mostBadFiles = 16

    let name: String
    private(set) var segments: [Segment] = []
    /// The sequence of the first record that is not acknowledged.
    private(set) var first: UInt64 = 0
    private(set) var damagedBytes = 0
    /// The faults of files that can't be read and were set aside, or that can't be brought onto the
    /// disk, in order of time.
    private(set) var faults: [SpoolError] = []
    private var next: UInt64 = 0
    /// Whether the last segment is this process's own. Segments of earlier ones may end in the
    /// middle of a record, so nothing is appended to them.
    private var isOpen = false
    private(set) var waiting = 0

    /// A file that can't be read is set aside. So a damaged disk costs the records in it, and the
    /// others go on.
    init(_ name: String, names: [String], disk: any SpoolDisk) throws(SpoolError) {
        self.name = name
        // Without a position some records are sent again, with the same ids.
        if names.contains(positionFile), let content = try readable(positionFile, disk),
            let record = SpoolFrame.records(in: content).records.last
        {
            first = record.sequence
        }
        next = first
        for file in names.filter({ $0.hasPrefix("\(name)-") }).sorted() {
            guard let content = try readable(file, disk) else { continue }
            let (records, damaged) = SpoolFrame.records(in: content)
            damagedBytes += damaged
            guard let last = records.map(\.sequence).max(), last >= first else {
                // If this fails, the next start tries it again.
                try? disk.remove(file)
                continue
            }
            // A process that was killed had no time to do this.
            do throws(SpoolError) {
                try disk.sync(file)
            } catch {
                faults.append(error)
            }
            segments.append(
                Segment(name: file, bytes: content.count, count: records.count, last: last))
            waiting += records.count { $0.sequence >= first }
            next = max(next, last + 1)
        }
    }

    /// The bytes of a file; nil if it can't be read, and was set aside.
    private mutating func readable(
        _ file: String, _ disk: any SpoolDisk
    ) throws(SpoolError) -> [UInt8]? {
        do throws(SpoolError) {
            return try disk.read(file)
        } catch {
            guard !error.isPassing else { throw error }
            if !error.isMissing { try setAside(file, disk) }
            faults.append(error)
            return nil
        }
    }

    private func setAside(_ file: String, _ disk: any SpoolDisk) throws(SpoolError) {
        let bad = try disk.names().count { $0.hasPrefix(Self.badPrefix) }
        if bad < Self.mostBadFiles {
            try disk.rename(file, to: Self.badPrefix + file)
        } else {
            try disk.remove(file)
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
            if segments[last].bytes > 0 {
                try? disk.cut(segments[last].name, to: segments[last].bytes)
            } else {
                // On a full disk there would soon be too many such files, and all of them open.
                try? disk.remove(segments[last].name)
                segments.removeLast()
            }
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

    /// The oldest records that are not acknowledged. A segment that can't be read is set aside.
    mutating func oldest(
        atMost most: Int, bytes limit: Int, _ disk: any SpoolDisk
    ) throws(SpoolError) -> [SpoolRecord] {
        var found: [SpoolRecord] = []
        var size = 0
        var index = 0
        while index < segments.count {
            guard let content = try readable(segments[index].name, disk) else {
                try forget(index, disk)
                continue
            }
            for record in SpoolFrame.records(in: content).records where record.sequence >= first {
                guard found.count < most, found.isEmpty || size + record.bytes.count <= limit
                else { return found }
                size += record.bytes.count
                found.append(record)
            }
            // One segment is enough for a batch, unless all its records were damaged.
            if !found.isEmpty { return found }
            index += 1
        }
        return found
    }

    /// Forgets a segment whose file is gone.
    private mutating func forget(_ index: Int, _ disk: any SpoolDisk) throws(SpoolError) {
        let segment = segments[index]
        var left = waiting - segment.count
        // Some of the first one's records may be acknowledged.
        if index == 0 { left = try self.left(after: segment.last, disk) }
        segments.remove(at: index)
        if index == segments.count { isOpen = false }
        waiting = max(0, left)
    }

    mutating func acknowledge(
        through sequence: UInt64, _ disk: any SpoolDisk
    ) throws(SpoolError) {
        guard sequence >= first else { return }
        let left = try left(after: sequence, disk)
        first = sequence + 1
        waiting = left
        do throws(SpoolError) {
            try writePosition(disk)
        } catch {
            guard error.isFullDisk else { throw error }
            // Only these segments can make room. A process that ends before the position is written
            // costs nothing: the next one begins at the oldest segment that is left.
            try removeAcknowledged(disk)
            try writePosition(disk)
        }
        try removeAcknowledged(disk)
    }

    private func writePosition(_ disk: any SpoolDisk) throws(SpoolError) {
        try disk.replace(
            positionFile, with: SpoolFrame.bytes(SpoolRecord(sequence: first, bytes: [])))
    }

    private mutating func removeAcknowledged(_ disk: any SpoolDisk) throws(SpoolError) {
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
