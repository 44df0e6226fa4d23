/// The partitions that a processor works on: where each goes on, and when it was last worked on.
///
/// A partition is due when no record came for a second. Then its state may have work that only the
/// time brings, such as the end of a wait.
struct QuietPartitions {
    /// How long a partition waits for its next work.
    static let pause = Duration.seconds(1)

    /// A partition in which time has passed without records.
    struct Due: Hashable {
        var partition: TopicPartition
        /// The offset that its group goes on from.
        var next: Int64
        /// The time since its last work.
        var elapsed: Duration
    }

    private struct Stand {
        var next: Int64
        var workedAt: ContinuousClock.Instant
    }

    private var stands: [TopicPartition: Stand] = [:]

    /// The partition's records were worked on up to the offset, or its state was read back so far.
    mutating func worked(
        _ partition: TopicPartition, upTo next: Int64, now: ContinuousClock.Instant
    ) {
        stands[partition] = Stand(next: next, workedAt: now)
    }

    mutating func forget(_ partitions: [TopicPartition]) {
        for partition in partitions { stands[partition] = nil }
    }

    /// The partitions without work for a second, in order. Each counts as worked on now.
    mutating func due(now: ContinuousClock.Instant) -> [Due] {
        let due = stands.filter { now - $0.value.workedAt >= Self.pause }
        for partition in due.keys { stands[partition]?.workedAt = now }
        return due.map { Due(partition: $0, next: $1.next, elapsed: now - $1.workedAt) }
            .sorted { $0.partition < $1.partition }
    }
}
