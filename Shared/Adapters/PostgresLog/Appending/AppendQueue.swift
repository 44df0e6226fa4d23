import EventLog
import Foundation

/// What waits to be appended. A worker takes all that waits, except for partitions that another
/// worker is writing: those would only wait for each other's locks, and their order must hold.
///
/// Safe to share: everything that changes is guarded by the condition.
final class AppendQueue: @unchecked Sendable {
    fileprivate let condition = NSCondition()
    private let settings: PostgresLogSettings
    private var waiting: [PartitionKey: [AppendPiece]] = [:]
    /// Partitions with pieces and no worker, the one that waits longest first.
    private var ready: [PartitionKey] = []
    private var underWay: Set<PartitionKey> = []
    fileprivate var heldRecords = 0
    private var heldBytes = 0
    private var isClosed = false
    private var pausing = 0

    init(_ settings: PostgresLogSettings) { self.settings = settings }

    /// Makes room for a request, or says why not.
    func admit(records: Int, bytes: Int) -> EventLogError? {
        condition.lock()
        defer { condition.unlock() }
        if isClosed { return EventLogError(.closed, "the log is closed") }
        // One request alone may be larger than the limit, or it could never be taken.
        let isEmpty = heldRecords == 0
        guard
            isEmpty
                || heldRecords + records <= settings.maximumQueuedRecords
                    && heldBytes + bytes <= settings.maximumQueuedBytes
        else {
            return EventLogError(
                .backPressure, "\(heldRecords) records, \(heldBytes) bytes wait to be appended")
        }
        heldRecords += records
        heldBytes += bytes
        return nil
    }

    /// A request that `admit` let in is over.
    func leave(records: Int, bytes: Int) {
        condition.lock()
        heldRecords -= records
        heldBytes -= bytes
        // Only a queue that closes is waited for to be empty.
        if heldRecords == 0, isClosed { condition.broadcast() }
        condition.unlock()
    }

    func add(_ pieces: [AppendPiece]) {
        condition.lock()
        for piece in pieces {
            if waiting[piece.partition] == nil {
                waiting[piece.partition] = []
                if !underWay.contains(piece.partition) { ready.append(piece.partition) }
            }
            waiting[piece.partition]?.append(piece)
        }
        wakeWorker()
        condition.unlock()
    }

    /// One worker takes all; but others may wait for other things, and would swallow its signal.
    /// The lock is held.
    private func wakeWorker() {
        if pausing > 0 || isClosed { condition.broadcast() } else { condition.signal() }
    }

    /// Waits for work; nil when the queue is closed and empty.
    func take() -> [AppendPiece]? {
        condition.lock()
        defer { condition.unlock() }
        while ready.isEmpty {
            if isClosed, waiting.isEmpty, heldRecords == 0 { return nil }
            condition.wait()
        }
        var batch: [AppendPiece] = []
        var records = 0
        var bytes = 0
        while let partition = ready.first {
            let pieces = waiting[partition] ?? []
            var taken = 0
            for piece in pieces {
                let isFull =
                    records + piece.records.count > settings.maximumBatchRecords
                    || bytes + piece.byteCount > settings.maximumBatchBytes
                if isFull, !(batch.isEmpty && taken == 0) { break }
                taken += 1
                records += piece.records.count
                bytes += piece.byteCount
            }
            guard taken > 0 else { break }
            batch += pieces.prefix(taken)
            ready.removeFirst()
            underWay.insert(partition)
            waiting[partition] = taken == pieces.count ? nil : Array(pieces.dropFirst(taken))
            if taken < pieces.count { break }
        }
        return batch
    }

    /// The worker is done with these partitions, however it went.
    func release(_ partitions: some Sequence<PartitionKey>) {
        condition.lock()
        for partition in partitions where underWay.remove(partition) != nil {
            if waiting[partition] != nil { ready.append(partition) }
        }
        if !ready.isEmpty || isClosed { wakeWorker() }
        condition.unlock()
    }

    /// Takes nothing more; workers end when all that waits is done.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }

    /// Sleeps, but not longer than until the queue is closed.
    func pause(seconds: Double) {
        condition.lock()
        let until = Date(timeIntervalSinceNow: seconds)
        pausing += 1
        while !isClosed, condition.wait(until: until) {}
        pausing -= 1
        condition.unlock()
    }
}

extension AppendQueue {
    /// Takes nothing more and waits until all that was taken is over.
    func closeAndWait() async {
        close()
        await withCheckedContinuation { continuation in
            let thread = Thread { [self] in
                waitUntilEmpty()
                continuation.resume()
            }
            thread.start()
        }
    }

    private func waitUntilEmpty() {
        condition.lock()
        while heldRecords > 0 { condition.wait() }
        condition.unlock()
    }
}
