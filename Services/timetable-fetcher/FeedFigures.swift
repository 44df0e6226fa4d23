import Events
import Postgres
import ServiceHost
import ServiceRuntime
import Timetables

/// The figures of fetches.
struct FeedFigures: Sendable {
    private static let interval = Duration.seconds(15)

    private let fetches: [FetchOutcome: Counter]
    private let oldest: Gauge

    init(_ metrics: MetricsRegistry) {
        fetches = Dictionary(
            uniqueKeysWithValues: FetchOutcome.allCases.map { outcome in
                let counter = metrics.counter(
                    "whereabouts_feed_fetches_total", help: "Fetches of feeds, by their outcome.",
                    labels: ["outcome": outcome.rawValue])
                return (outcome, counter)
            })
        oldest = metrics.gauge(
            "whereabouts_feed_oldest_intervals",
            help: "The age of the stalest feed's last good fetch, in its own intervals.")
    }

    func count(_ outcome: FetchOutcome) { fetches[outcome]?.increment() }

    /// Measures the stalest feed until the task is cancelled. A feed that was never read counts
    /// from its creation. A fetch in the future counts as long as it is ahead: the clock was wrong.
    func keep(_ pool: PostgresPool, _ clock: EventClock) async {
        while !Task.isCancelled {
            if let age = try? await stalest(pool, clock.now) { oldest.set(age) }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func stalest(_ pool: PostgresPool, _ now: Timestamp) async throws -> Double {
        let rows = try await pool.read(
            """
            SELECT coalesce(max(abs(extract(epoch FROM $1 - coalesce(good_at, created_at)))
                / every_seconds), 0)::float8 AS age
            FROM timetables.feeds WHERE is_enabled
            """, [.timestamp(microseconds: now.microseconds)])
        return try rows[0]["age"]
    }
}
