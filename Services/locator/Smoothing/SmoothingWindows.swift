import EventLog
import Retrying
import ServiceHost
import Wire

/// Clears away what a smoother left that is switched off: empties its windows, and moves its group
/// on.
///
/// Nobody else would remove the windows' positions from a compacted topic. And the retention of
/// `positions` would pass the group's offsets, so the smoother could not begin again.
struct SmoothingWindows: Sendable {
    /// A process that still smooths may write once more after the first look.
    private static let pause = Duration.seconds(3_600)
    private static let tombstonesAtOnce = 10_000

    let log: any EventLog

    func run(_ notices: Notices) async {
        await attemptUntilDone("Clearing away what the smoother left", notices: notices) { retry in
            while !Task.isCancelled {
                try await empty()
                try await moveOn()
                retry.ended()
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Appends a tombstone for each position that is in a window.
    func empty() async throws {
        var left: [[UInt8]: Int] = [:]
        try await log.readRange(log.ranges(of: [Topic.smoothingWindows.name])) { records in
            for record in records {
                guard let key = record.key else { continue }
                left[key] = record.value == nil ? nil : record.partition
            }
        }
        let tombstones = left.map { key, partition in
            LogRecord(
                topic: Topic.smoothingWindows.name, partition: partition, key: key, value: nil)
        }
        for start in stride(from: 0, to: tombstones.count, by: Self.tombstonesAtOnce) {
            let end = min(start + Self.tombstonesAtOnce, tombstones.count)
            try await log.append(Array(tombstones[start..<end]))
        }
    }

    /// Moves the group to the end of `positions`, if it ever read them.
    func moveOn() async throws {
        let topic = Topic.positions.name
        let group = PositionSmoothing.group
        let committed = try await log.lastCommitted(group: group, topics: [topic])
        guard !committed.isEmpty else { return }
        let ends = try await log.readableEnds(of: topic).enumerated().map {
            (TopicPartition(topic, $0.offset), $0.element)
        }
        do throws(EventLogError) {
            try await log.moveGroup(group, to: Dictionary(uniqueKeysWithValues: ends))
        } catch {
            // A process that still smooths goes on from where it is.
            guard error.code == .fenced else { throw error }
        }
    }
}
