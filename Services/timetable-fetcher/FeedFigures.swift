import Events
import Postgres
import Retrying
import ServiceHost
import ServiceRuntime
import Timetables

/// The figures of fetches, and a notice of results that are lost.
struct FeedFigures: Sendable {
    private static let interval = Duration.seconds(15)

    private let fetches: [FetchOutcome: Counter]
    private let oldest: Gauge
    private let notices: Notices
    private let told = Occasional<FetchOutcome>(1, per: .seconds(86_400))

    init(_ metrics: MetricsRegistry, _ notices: Notices) {
        self.notices = notices
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

    /// Counts a fetch. The operator hears of a lost result once a day.
    func count(_ outcome: FetchOutcome) {
        fetches[outcome]?.increment()
        guard outcome == .lost, case .admit = told.decide(outcome) else { return }
        notices.onUnexpected(
            "The answer of a feed was not stored: another process had claimed the feed meanwhile, "
                + "as if this one had been stopped for a minute. Look whether its machine or "
                + "PostgreSQL is overloaded.")
    }

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
