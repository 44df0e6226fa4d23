import Events
import Postgres
import Retrying
import ServiceHost
import Site

/// Removes positions and visits at testers' sites from the tables when their tests have ended.
///
/// The present sites decide which rows go, and not the record that ended a test. So a rebuilt view
/// gets the same rows, whatever the topic `site` still holds.
struct EndedTests: Sendable {
    /// Other processes may know a new test a little earlier than this one.
    private static let patience = Duration.seconds(5)
    /// Seconds between sweeps: positions that were in progress when a test ended come after its
    /// end.
    private static let pause = Duration.seconds(60)
    private static let tables = [
        Table(
            name: "locator.position_rows", madeAt: "located_at",
            sites: "locator.position_sites"),
        Table(name: "locator.wide_positions", madeAt: "located_at"),
        Table(
            name: "smoothed.position_rows", madeAt: "located_at",
            sites: "smoothed.position_sites"),
        Table(name: "smoothed.wide_positions", madeAt: "located_at"),
        Table(name: "locator.latest_positions", madeAt: "(event->>'locatedAt')::timestamptz"),
        Table(name: "visits.visits", madeAt: "entered"),
        Table(name: "visits.group_visits", madeAt: "entered"),
    ]

    let sites: SiteDirectory
    let pool: PostgresPool

    private struct Table {
        var name: String
        /// The expression that is compared with the beginning of a test.
        var madeAt: String
        /// The table of the sites' numbers; nil where rows have the site's id.
        var sites: String?

        var isOfSite: String {
            sites.map { "site = (SELECT number FROM \($0) WHERE name = $1)" } ?? "site = $1"
        }
    }

    /// Sweeps when a test begins or ends, and once a minute, until the task is cancelled.
    func run(_ retry: inout Retry) async throws {
        var swept: [SiteID: Timestamp] = [:]
        var changedAt = ContinuousClock.now
        var sweptAt: ContinuousClock.Instant?
        while !Task.isCancelled {
            let tests = tests
            if tests != swept { (swept, changedAt) = (tests, .now) }
            let isDue = sweptAt.map { $0 < changedAt || .now - $0 > Self.pause } ?? true
            if sites.isReady, isDue, .now - changedAt >= Self.patience {
                try await sweep(but: tests)
                retry.ended()
                sweptAt = .now
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Sites with such an id from before testers' sites existed; they keep their rows.
    private var ordinary: Set<SiteID> {
        Set(
            sites.all.filter { $0.key.tested != nil && $0.value.index.document.borrows == nil }
                .keys)
    }

    /// When each present test began.
    private var tests: [SiteID: Timestamp] {
        sites.all.compactMapValues { $0.index.document.borrows?.since }
    }

    /// Removes the rows of all other tests.
    func sweep(but tests: [SiteID: Timestamp]) async throws {
        let ordinary = ordinary
        for table in Self.tables {
            do {
                for site in try await testersSites(in: table) where !ordinary.contains(site) {
                    try await pool.query(
                        """
                        DELETE FROM \(table.name)
                        WHERE \(table.isOfSite)
                            AND ($2::timestamptz IS NULL OR \(table.madeAt) < $2)
                        """,
                        [
                            .text(site.text),
                            .optional(tests[site]) { .timestamp(microseconds: $0.microseconds) },
                        ])
                }
            } catch let error as PostgresError where error.isUndefinedTable {
                continue
            }
        }
    }

    /// Steps from site to site along the index, since rows are many and sites few.
    private func testersSites(in table: Table) async throws -> [SiteID] {
        if let sites = table.sites {
            return try await pool.query("SELECT name FROM \(sites)")
                .map { SiteID(try $0["name"]) }.filter { $0.tested != nil }
        }
        return try await pool.query(
            """
            WITH RECURSIVE known AS (
                (SELECT site FROM \(table.name) ORDER BY site LIMIT 1)
                UNION ALL
                SELECT (SELECT other.site FROM \(table.name) AS other
                    WHERE other.site > known.site ORDER BY other.site LIMIT 1)
                FROM known WHERE known.site IS NOT NULL)
            SELECT site FROM known WHERE site IS NOT NULL
            """
        ).map { SiteID(try $0["site"]) }.filter { $0.tested != nil }
    }
}
