import EventLog
import Events
import Retrying
import ServiceHost
import Synchronization
import Wire

/// The partitions with devices in zones, and when each last got a record.
///
/// Where no record comes, the locator appends the time. So visits end there too, and at the same
/// place when the log is read again.
final class VisitedPartitions: Sendable {
    /// The silence after which the time is appended to a partition.
    static let silenceMicroseconds: Int64 = 60_000_000

    /// When the last record of each partition of `scans` was appended.
    private let lastAppended = Mutex<[Int: Int64]>([:])

    /// - Parameter isVisited: false where no device is in a zone, so the partition needs no time.
    func note(_ partition: Int, isVisited: Bool, atMicroseconds moment: Int64) {
        lastAppended.withLock { $0[partition] = isVisited ? moment : nil }
    }

    /// Partitions that need the time. Each is returned once until its next record, since another
    /// locator may own it by then.
    func silent(atMicroseconds now: Int64) -> [Int] {
        lastAppended.withLock { lastAppended in
            let silent = lastAppended.filter { now - $0.value > Self.silenceMicroseconds }.keys
            for partition in silent { lastAppended[partition] = nil }
            return silent.sorted()
        }
    }

    /// Appends the time to silent partitions until the task is cancelled.
    func run(_ log: any EventLog, _ clock: EventClock, _ notices: Notices) async {
        await attemptUntilDone("Appending the time to silent partitions", notices: notices) {
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
