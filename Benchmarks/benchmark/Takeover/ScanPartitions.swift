import EventLog
import Events
import Wire

/// Reads the positions that are appended from now on, by partition.
struct ScanPartitions {
    private let reader: any LogReader
    private let count: Int

    init(_ log: any EventLog) async throws {
        let topic = Topic.positions.name
        let ends = try await log.bounds(of: topic).map(\.end)
        count = ends.count
        reader = try await log.reader(
            from: Dictionary(
                uniqueKeysWithValues: ends.enumerated().map {
                    (TopicPartition(topic, $0.offset), $0.element)
                }))
    }

    /// Waits until each partition has got a position.
    func untilAllMove(limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        var moved: Set<Int> = []
        while moved.count < count {
            guard ContinuousClock.now < deadline else {
                throw BenchmarkFault("only \(moved.count) partitions got positions in time")
            }
            for record in try await reader.next(maximum: 5_000, wait: .milliseconds(100)) {
                moved.insert(record.partition)
            }
        }
        await reader.close()
    }

    /// When positions were appended to each partition, for so long from now on.
    func times(for duration: Duration) async throws -> [[Timestamp]] {
        let deadline = ContinuousClock.now + duration
        var times: [[Timestamp]] = Array(repeating: [], count: count)
        while ContinuousClock.now < deadline {
            for record in try await reader.next(maximum: 5_000, wait: .milliseconds(100)) {
                times[record.partition].append(
                    Timestamp(microseconds: record.appendedAtMicroseconds))
            }
        }
        await reader.close()
        return times
    }
}
