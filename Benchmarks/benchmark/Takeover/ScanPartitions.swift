import EventLog
import Events
import Wire

/// Reads the positions that are appended from now on, by partition.
struct ScanPartitions {
    private let reader: any LogReader
    private let count: Int

    init(_ log: any EventLog) async throws {
        (reader, count) = try await log.newRecords(of: .positions)
    }

    /// Waits until each partition has got a position.
    func untilAllMove(limit: Duration) async throws {
        let began = ContinuousClock.now
        var moved = Array(repeating: false, count: count)
        repeat {
            for record in try await next() { moved[record.partition] = true }
        } while moved.contains(false) && ContinuousClock.now - began < limit
        let missing = moved.count { !$0 }
        await reader.close()
        if missing > 0 { throw BenchmarkFault("\(missing) partitions got no position in time") }
    }

    /// When positions were appended to each partition, for so long from now on.
    func times(for duration: Duration) async throws -> [[Timestamp]] {
        let deadline = ContinuousClock.now + duration
        var times: [[Timestamp]] = Array(repeating: [], count: count)
        while ContinuousClock.now < deadline {
            let records = try await next()
            for record in records {
                times[record.partition].append(
                    Timestamp(microseconds: record.appendedAtMicroseconds))
            }
        }
        await reader.close()
        return times
    }

    private func next() async throws -> [StoredRecord] {
        try await reader.next(maximum: 5_000, wait: .milliseconds(100))
    }
}
