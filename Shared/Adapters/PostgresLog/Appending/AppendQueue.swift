import EventLog
import Foundation

/// The records that wait to be appended. A worker dequeues a batch of them, but skips partitions
/// that another worker is writing. It would only wait for that worker's locks, and the order of
/// records must hold.
///
/// Safe to share: everything that changes is guarded by the condition.
final class AppendQueue: @unchecked Sendable {
    fileprivate let condition = NSCondition()
    private let settings: PostgresLogSettings
    private var waiting: [PartitionKey: [AppendPiece]] = [:]
    /// Partitions with waiting pieces and no worker. The longest waiting comes first.
    private var ready: [PartitionKey] = []
    private var underWay: Set<PartitionKey> = []
    fileprivate var heldRecords = 0
    private var heldBytes = 0
    private var isClosed = false
    private var pausing = 0

    init(_ settings: PostgresLogSettings) { self.settings = settings }

    /// Reserves room for a request. Returns an error if the queue is full or closed.
    func admit(records: Int, bytes: Int) -> EventLogError? {
        condition.lock()
        defer { condition.unlock() }
        if isClosed { return EventLogError(.closed, "the log is closed") }
        // A single request may exceed the limit, or it could never be appended.
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

    /// Frees the room of a request that has ended.
    func leave(records: Int, bytes: Int) {
        condition.lock()
        heldRecords -= records
        heldBytes -= bytes
        // A caller waits for an empty queue only while the queue closes.
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

    /// Wakes one worker, since one dequeues everything. It wakes all waiters while some pause or
    /// close, because those would swallow the signal. The caller holds the lock.
    private func wakeWorker() {
        if pausing > 0 || isClosed { condition.broadcast() } else { condition.signal() }
    }

    /// Waits for work and removes a batch. Nil when the queue is closed and empty.
    func dequeue() -> [AppendPiece]? {
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

    /// Frees these partitions after a worker's attempt, whether it succeeded or failed.
    func release(_ partitions: some Sequence<PartitionKey>) {
        condition.lock()
        for partition in partitions where underWay.remove(partition) != nil {
            if waiting[partition] != nil { ready.append(partition) }
        }
        if !ready.isEmpty || isClosed { wakeWorker() }
        condition.unlock()
    }

    /// Refuses further requests. The workers end once the queue is empty.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
    }

    /// Sleeps until the time is over or the queue is closed.
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
    /// Refuses further requests and waits until all accepted ones have ended.
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
