import Events
import LogViews
import Postgres

/// Stores what visitors' scans say about each site's newest radio map, beside the findings of taps.
struct VisitorStore: Sendable {
    let pool: PostgresPool

    static let migration = Migrator.Step(
        "visitor-findings",
        """
        ALTER TABLE radio_maps.tap_findings
            -- The beginning of the last look at visitors' scans.
            ADD COLUMN visitors_at timestamptz,
            ADD COLUMN visitor_changes text NOT NULL DEFAULT '[]'
        """)

    /// Forgets the findings of all other sites.
    func keepOnly(_ sites: [SiteID]) async throws {
        try await pool.query(
            """
            UPDATE radio_maps.tap_findings SET visitor_changes = '[]'
            WHERE visitor_changes <> '[]' AND site <> ALL ($1::text[])
            """, [.textArray(sites.map(\.text))])
    }

    /// The sites, the one that was looked at longest ago first.
    func inTurn(_ sites: [SiteID]) async throws -> [SiteID] {
        try await pool.query(
            """
            SELECT site FROM unnest($1::text[]) AS named (site)
            LEFT JOIN radio_maps.tap_findings AS known USING (site)
            ORDER BY known.visitors_at NULLS FIRST, site
            """, [.textArray(sites.map(\.text))]
        ).map { SiteID(try $0["site"]) }
    }

    /// Notes the beginning of a look.
    ///
    /// - Returns: false where the site was looked at within the pause.
    func claim(_ site: SiteID, pause: Duration) async throws -> Bool {
        let claimed = try await pool.query(
            """
            INSERT INTO radio_maps.tap_findings (site, mark, found_at, changes, visitors_at)
            VALUES ($1, '', '-infinity', '[]', clock_timestamp())
            ON CONFLICT (site) DO UPDATE SET visitors_at = excluded.visitors_at
            WHERE tap_findings.visitors_at IS NULL OR tap_findings.visitors_at
                <= clock_timestamp() - make_interval(secs => $2)
            RETURNING site
            """, [.text(site.text), .double(pause / .seconds(1))])
        return !claimed.isEmpty
    }

    /// Gives a site its turn back.
    func release(_ site: SiteID) async throws {
        try await pool.query(
            "UPDATE radio_maps.tap_findings SET visitors_at = NULL WHERE site = $1",
            [.text(site.text)])
    }

    /// Replaces the findings of a site, if it was not removed meanwhile.
    ///
    /// - Parameter changes: each as a JSON object.
    func keep(_ changes: [String], of site: SiteID) async throws {
        try await pool.query(
            """
            UPDATE radio_maps.tap_findings SET visitor_changes = $2
            WHERE site = $1 AND visitor_changes <> $2
            """,
            [.text(site.text), .text("[" + changes.joined(separator: ",") + "]")])
    }

    /// The erased devices of a site. Everything of them up to the time is erased.
    func erasures(at site: SiteID) async throws -> [DeviceID: Timestamp] {
        var erased: [DeviceID: Timestamp] = [:]
        for row in try await pool.query(
            """
            SELECT device, max(extract(epoch FROM erased_until) * 1000000)::bigint AS until
            FROM \(TapStore.view).erasures WHERE site = $1 GROUP BY device
            """, [.text(site.text)])
        {
            erased[DeviceID(try row["device"])] = Timestamp(microseconds: try row["until"])
        }
        return erased
    }

    /// False until the view has made its tables.
    func hasTables() async throws -> Bool { try await TapStore(pool: pool).hasTables() }
}
