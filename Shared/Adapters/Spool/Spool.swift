/// A queue's records: which of them may be dropped when the spool is full.
public enum SpoolQueue: String, CaseIterable, Hashable, Sendable {
    /// Its oldest records go when the spool is full.
    case droppable
    /// Its oldest records go before those of `droppable`.
    case passing
    /// Its records are never dropped.
    case kept
}

/// A record with its place in its queue.
public struct SpoolRecord: Hashable, Sendable {
    public var sequence: UInt64
    public var bytes: [UInt8]
}

/// The figures of a spool since it was opened.
public struct SpoolCounts: Hashable, Sendable {
    /// Records that wait, of each queue.
    public var waiting: [SpoolQueue: Int] = [:]
    /// The bytes of all files.
    public var bytes = 0
    /// Old records that went because the spool or the disk was full.
    public var dropped = 0
    /// New records that no room was found for.
    public var refused = 0
    /// Bytes that belonged to no whole record when the spool was opened.
    public var damagedBytes = 0
}

/// Two queues of records in files, which survive a crash and a loss of power.
///
/// Records are appended to segments and never changed. A segment goes when all its records are
/// acknowledged. `sync` brings them onto the disk at most four times a second. So a loss of power
/// costs records of the last second only, with time for a slow disk. A crash costs none.
///
/// One thread uses a spool at a time.
public final class Spool {
    public static let secondsBetweenSyncs = 0.25

    public private(set) var counts = SpoolCounts()
    /// The last fault of the disk; nil once a write has succeeded again.
    public private(set) var fault: SpoolError?
    /// The faults of files since the spool was opened. A file that can't be read is set aside under
    /// a name that begins with `bad-`, and the spool goes on without it.
    public var faultsOfFiles: [SpoolError] {
        SpoolQueue.allCases.flatMap { queues[$0]?.faults ?? [] }
    }
    private let disk: any SpoolDisk
    private let limitBytes: Int
    private let segmentBytes: Int
    private var queues: [SpoolQueue: SegmentQueue] = [:]
    private var unsyncedSince: Int64?
    /// Records that were put back, until they are acknowledged.
    private var copied: [SpoolQueue: Set<UInt64>] = [:]

    /// - Parameter limitBytes: above it the oldest droppable records go.
    public convenience init(folder: String, limitBytes: Int) throws(SpoolError) {
        try self.init(disk: try FolderDisk(folder), limitBytes: limitBytes)
    }

    init(disk: any SpoolDisk, limitBytes: Int) throws(SpoolError) {
        self.disk = disk
        self.limitBytes = limitBytes
        segmentBytes = max(4_096, min(1 << 20, limitBytes / 16))
        let names = try disk.names()
        for queue in SpoolQueue.allCases {
            let found = try SegmentQueue(queue.rawValue, names: names, disk: disk)
            counts.damagedBytes += found.damagedBytes
            queues[queue] = found
        }
        count()
    }

    /// Puts a record at the end of a queue. Returns false when there is no room for it.
    ///
    /// - Parameter now: nanoseconds of a clock that never goes back.
    public func append(_ bytes: [UInt8], to queue: SpoolQueue, now: Int64) -> Bool {
        defer { count() }
        let isKept = add(bytes, to: queue, now: now)
        if !isKept { counts.refused += 1 }
        return isKept
    }

    /// Appends copies of records that `oldest` gave to their queue, and brings them onto the disk.
    /// Then the records themselves may be acknowledged.
    ///
    /// - Returns: false if one of them has no room, or the disk fails. Then the records must stay.
    ///   The next try copies only those that were not copied yet.
    public func putBack(_ records: [SpoolRecord], to queue: SpoolQueue, now: Int64) -> Bool {
        defer { count() }
        for record in records where copied[queue]?.contains(record.sequence) != true {
            guard add(record.bytes, to: queue, now: now) else { return false }
            copied[queue, default: []].insert(record.sequence)
        }
        sync()
        return !isSyncDue
    }

    /// Makes room for a record and appends it; false when there is none.
    private func add(_ bytes: [UInt8], to queue: SpoolQueue, now: Int64) -> Bool {
        let room = bytes.count + SpoolFrame.headBytes
        guard bytes.count <= SpoolFrame.mostBytes else { return false }
        while totalBytes + room > limitBytes, dropOldest() {}
        if queue != .kept, totalBytes + room > limitBytes { return false }
        while true {
            do throws(SpoolError) {
                try queues[queue]!.append(bytes, segmentBytes: segmentBytes, disk)
                fault = nil
                unsyncedSince = unsyncedSince ?? now
                return true
            } catch {
                fault = error
                guard error.isFullDisk, dropOldest() else { return false }
            }
        }
    }

    /// The oldest records of a queue that are not acknowledged. The first one comes even if it
    /// alone has more bytes.
    public func oldest(
        of queue: SpoolQueue, atMost count: Int, bytes: Int
    ) throws(SpoolError) -> [SpoolRecord] {
        defer { self.count() }
        return try queues[queue]!.oldest(atMost: count, bytes: bytes, disk)
    }

    /// Forgets the records up to this one, itself included. After a crash or a loss of power some
    /// of them may come again.
    public func acknowledge(through sequence: UInt64, of queue: SpoolQueue, now: Int64) {
        do throws(SpoolError) {
            try queues[queue]!.acknowledge(through: sequence, disk)
            copied[queue] = copied[queue]?.filter { $0 > sequence }
            unsyncedSince = unsyncedSince ?? now
        } catch {
            fault = error
        }
        count()
    }

    /// Brings records onto the disk if the oldest one that isn't there has waited for a
    /// quarter of a second.
    public func syncIfDue(now: Int64) {
        let limit = Int64(Self.secondsBetweenSyncs * 1e9)
        guard let since = unsyncedSince, now - since >= limit else { return }
        sync()
    }

    /// Whether records are not on the disk yet.
    public var isSyncDue: Bool { unsyncedSince != nil }

    /// Brings all records onto the disk.
    public func sync() {
        do throws(SpoolError) {
            try disk.sync()
            unsyncedSince = nil
        } catch {
            fault = error
        }
    }

    private var totalBytes: Int { queues.values.reduce(0) { $0 + $1.bytes } }

    /// Removes the oldest segment of records that may go. False where there is none, or it can't be
    /// removed.
    private func dropOldest() -> Bool {
        do throws(SpoolError) {
            for queue in [SpoolQueue.passing, .droppable] {
                guard let gone = try queues[queue]!.dropOldest(disk) else { continue }
                counts.dropped += gone
                return true
            }
            return false
        } catch {
            fault = error
            return false
        }
    }

    private func count() {
        counts.bytes = totalBytes
        counts.waiting = queues.mapValues(\.waiting)
    }
}
