import EventLog
import Events
import Retrying
import ServiceHost
import Wire

/// The partitions with devices in zones or groups. Visits end there even where no record comes.
final class VisitedPartitions: Sendable {
    /// The silence after which the time is appended to a partition.
    static let silenceMicroseconds: Int64 = 60_000_000

    private let partitions = SilentPartitions(
        .scans, source: Locating.source, every: .seconds(15))

    /// - Parameters:
    ///   - isVisited: false where no device is in a zone or group, so it needs no time.
    ///   - moment: when the last record of the partition of `scans` was appended.
    func note(_ partition: Int, isVisited: Bool, atMicroseconds moment: Int64) {
        let end = Timestamp(microseconds: moment)
            .advanced(byMicroseconds: Self.silenceMicroseconds)
        partitions.note(partition, after: isVisited ? end : nil)
    }

    /// Partitions that need the time, once each until the next record.
    func silent(atMicroseconds now: Int64) -> [Int] {
        partitions.silent(at: Timestamp(microseconds: now))
    }

    /// Appends the time to silent partitions until the task is cancelled.
    func run(_ log: any EventLog, _ clock: EventClock, _ notices: Notices) async {
        await partitions.run(log, clock, notices)
    }
}
