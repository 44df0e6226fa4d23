import EventLog
import Retrying
import ServiceHost
import Wire

/// Empties the windows of a smoother that is switched off: nobody else would remove their positions
/// from a compacted topic.
struct SmoothingWindows: Sendable {
    /// A process that still smooths may write once more after the first look.
    private static let pause = Duration.seconds(3_600)
    private static let tombstonesAtOnce = 10_000

    let log: any EventLog

    func run(_ notices: Notices) async {
        await attemptUntilDone("Emptying the smoother's windows", notices: notices) { retry in
            while !Task.isCancelled {
                try await empty()
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
}
