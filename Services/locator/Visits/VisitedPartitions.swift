import EventLog
import Events
import Retrying
import ServiceHost
import Synchronization
import Wire

/// Where devices are in zones, and when the log last spoke there. Where it has fallen silent the
/// time is appended, so that visits end there too, and at the same place when the log is read
/// again.
final class VisitedPartitions: Sendable {
    /// A partition is told the time when it has been silent for this long.
    static let silenceMicroseconds: Int64 = 60_000_000

    /// By partition of `scans`, when its last record was appended.
    private let lastAppended = Mutex<[Int: Int64]>([:])

    /// - Parameter isVisited: false where no device is in any zone: nothing waits for the time
    ///   there.
    func note(_ partition: Int, isVisited: Bool, atMicroseconds moment: Int64) {
        lastAppended.withLock { $0[partition] = isVisited ? moment : nil }
    }

    /// Partitions that are to be told the time. Each is named once until it is noted again, for by
    /// then it may be another locator's.
    func silent(atMicroseconds now: Int64) -> [Int] {
        lastAppended.withLock { lastAppended in
            let silent = lastAppended.filter { now - $0.value > Self.silenceMicroseconds }.keys
            for partition in silent { lastAppended[partition] = nil }
            return silent.sorted()
        }
    }

    /// Tells the time until the task is cancelled.
    func run(_ log: any EventLog, _ clock: EventClock, _ notices: Notices) async {
        await attemptUntilDone("Telling the time to silent partitions", notices: notices) {
            retry in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(15))
                let now = clock.now
                let partitions = silent(atMicroseconds: now.microseconds)
                do {
                    try await log.append(
                        partitions.map { partition in
                            var record = TimePassed(partition: partition, at: now)
                                .record(source: Locating.source)
                            record.partition = partition
                            return record
                        })
                } catch {
                    for partition in partitions {
                        note(partition, isVisited: true, atMicroseconds: 0)
                    }
                    throw error
                }
                retry.ended()
            }
        }
    }
}
