import Events
import LogViews
import Postgres
import Privacy

/// The table `locator_counts.closed`: how many devices were in a zone in a quarter of an hour.
///
/// It has no personal data, so its rows are kept for ever. It is no view, because the log forgets
/// visits sooner.
struct ClosedCounts: Sendable {
    static let schema = "locator_counts"
    static let migrator = Migrator(
        schema: schema,
        steps: [
            .schema(schema),
            Migrator.Step(
                "closed",
                """
                CREATE TABLE locator_counts.closed (
                    site text NOT NULL,
                    quarter timestamptz NOT NULL,
                    kind text NOT NULL,
                    zone text NOT NULL,
                    devices integer NOT NULL CHECK (devices >= \(ZoneCount.fewest)),
                    PRIMARY KEY (site, quarter, kind, zone));
                CREATE TABLE locator_counts.progress (
                    only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
                    closed_until timestamptz);
                INSERT INTO locator_counts.progress DEFAULT VALUES;
                """),
            Migrator.Step(
                "analysts", AnalystGrants.script(["locator_counts.closed"], topics: [])),
        ])

    let pool: PostgresPool

    /// The end of the last closed quarter; nil before the first.
    func closedUntil() async throws -> QuarterHour? {
        try await pool.withTransaction { try Self.closedUntil(connection: $0) }
    }

    /// Counts the visits of the quarters before this one that are not closed yet, a day at a time.
    ///
    /// - Returns: whether there may be more to count.
    func closeDay(before end: QuarterHour) async throws -> Bool {
        try await pool.withTransaction { connection in
            let known = try Self.closedUntil(connection: connection)
            let start = try known ?? Self.firstQuarter(connection: connection) ?? end
            guard start < end else { return false }
            let day = Timestamp(microseconds: start.begins.microseconds + Self.dayMicroseconds)
            let until = min(end, QuarterHour(containing: day))
            let times = [start, until].map {
                PostgresValue.timestamp(microseconds: $0.begins.microseconds)
            }
            try connection.query(Self.closing, times + [.int(ZoneCount.fewest)])
            try connection.query(
                "UPDATE locator_counts.progress SET closed_until = $1", [times[1]])
            return until < end
        }
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000

    /// A device that comes back to a zone within the quarter counts once.
    private static let closing = """
        INSERT INTO locator_counts.closed (site, quarter, kind, zone, devices)
        SELECT site, quarter, kind, zone, count(DISTINCT device) FROM visits.visits,
            generate_series(
                greatest(date_bin('15 minutes', entered, 'epoch'), $1::timestamptz),
                least(coalesce("left", $2), $2::timestamptz - interval '1 microsecond'),
                '15 minutes') AS quarter
        WHERE entered < $2 AND ("left" IS NULL OR "left" >= $1)
        GROUP BY site, quarter, kind, zone HAVING count(DISTINCT device) >= $3
        """

    private static func closedUntil(
        connection: isolated PostgresConnection
    ) throws -> QuarterHour? {
        let time: Int64? = try connection.query(
            "SELECT closed_until FROM locator_counts.progress FOR UPDATE")[0]["closed_until"]
        return time.map { QuarterHour(containing: Timestamp(microseconds: $0)) }
    }

    private static func firstQuarter(
        connection: isolated PostgresConnection
    ) throws -> QuarterHour? {
        let time: Int64? = try connection.query(
            "SELECT min(entered) AS first FROM visits.visits")[0]["first"]
        return time.map { QuarterHour(containing: Timestamp(microseconds: $0)) }
    }
}
