public import EventLog
public import Events
public import Retrying
import Synchronization
public import Wire

/// The partitions of a topic in which something is due at a time of the log, even if no record
/// comes.
///
/// Where none comes, the time is appended. So the work is done there too, and at the same place
/// when the log is read again.
public final class SilentPartitions: Sendable {
    private let topic: Topic
    private let source: String
    private let pace: Duration
    private let due = Mutex<[Int: Timestamp]>([:])

    /// - Parameters:
    ///   - source: the `source` of the events (CloudEvents).
    ///   - pace: how often to look for partitions that need the time.
    public init(_ topic: Topic, source: String, every pace: Duration) {
        self.topic = topic
        self.source = source
        self.pace = pace
    }

    /// - Parameter moment: the time after which the partition needs it; nil for never.
    public func note(_ partition: Int, after moment: Timestamp?) {
        due.withLock { $0[partition] = moment }
    }

    /// Partitions that need the time. Each is returned once until its next record, since another
    /// process may own it by then.
    public func silent(at now: Timestamp) -> [Int] {
        due.withLock { due in
            let silent = due.filter { $0.value < now }.keys
            for partition in silent { due[partition] = nil }
            return silent.sorted()
        }
    }

    /// Appends the time to silent partitions until the task is cancelled.
    public func run(_ log: any EventLog, _ clock: EventClock, _ notices: Notices) async {
        let work = "Appending the time to silent partitions of \(topic.name)"
        await attemptUntilDone(work, notices: notices) { retry in
            while !Task.isCancelled {
                try? await Task.sleep(for: pace)
                let now = clock.now
                let partitions = silent(at: now)
                guard !partitions.isEmpty else {
                    retry.ended()
                    continue
                }
                do {
                    try await log.append(
                        partitions.map { partition in
                            var record = TimePassed(partition: partition, at: now)
                                .record(topic: topic.name, source: source)
                            record.partition = partition
                            return record
                        })
                } catch {
                    for partition in partitions {
                        note(partition, after: Timestamp(microseconds: 0))
                    }
                    throw error
                }
                retry.ended()
            }
        }
    }
}
