import EventLog
import Events
import LogViews
import Postgres
import Privacy
import Retrying
import ServiceHost
import Wire

/// Closes quarters of an hour: counts the visits in them once for all.
///
/// Before it counts, all scans that had come by then must have been located, and the visits from
/// them must be rows. Otherwise a locator that is behind would fix counts that are too small.
struct QuarterCloser: Sendable {
    private static let pause = Duration.seconds(30)
    /// A partition whose rest is longer is not done. A shorter rest may be markers of transactions,
    /// which are no records: it is read.
    private static let longestRest: Int64 = 100

    let log: any EventLog
    let pool: PostgresPool
    let visits: VisitsView
    let clock: EventClock

    func run(_ notices: Notices) async {
        await attemptUntilDone("Counting visits by quarters", notices: notices) { retry in
            try await pool.withConnection { _ = try await ClosedCounts.migrator.migrate($0) }
            while !Task.isCancelled {
                try await closeWhatIsDue()
                retry.ended()
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    func closeWhatIsDue() async throws {
        let counts = ClosedCounts(pool: pool)
        let due = QuarterHour(
            containing: Timestamp(
                microseconds: clock.now.microseconds - ZoneCount.closingMicroseconds))
        if let closed = try await counts.closedUntil(), closed >= due { return }
        try await untilPassed(Topic.scans.name) {
            try await log.lastCommitted(group: "locator", topics: [Topic.scans.name])
        }
        try await untilPassed(Topic.visits.name) { try await pool.positions(of: visits) }
        while try await counts.closeDay(before: due) {}
    }

    /// Waits until a consumer has read all that the topic has now.
    private func untilPassed(
        _ topic: String, _ positions: () async throws -> [TopicPartition: Int64]
    ) async throws {
        var rests = try await log.ranges(of: [topic], withOpenTransactions: true)
        while true {
            let positions = try await positions()
            for (place, range) in rests {
                let next = max(range.lowerBound, positions[place] ?? range.lowerBound)
                rests[place] = next < range.upperBound ? next..<range.upperBound : nil
            }
            if try await holdNothing(rests) { return }
            try await Task.sleep(for: Self.pause / 30)
        }
    }

    /// Whether the ranges hold no records, at most markers of transactions.
    private func holdNothing(_ ranges: [TopicPartition: Range<Int64>]) async throws -> Bool {
        guard ranges.values.allSatisfy({ $0.count <= Self.longestRest }) else { return false }
        var count = 0
        try await log.readRange(ranges) { count += $0.count }
        return count == 0
    }
}
