import Events
import LogViews
import Postgres
import RadioMapCare
import Wire

/// Stores how the positioners of sites did in `ComparisonKeeper`'s trials, and finds the sites
/// that select some.
struct ComparisonStore: Sendable {
    let pool: PostgresPool

    static let migration = Migrator.Step(
        "positioner-comparisons",
        """
        CREATE TABLE radio_maps.positioner_comparisons (
            site text PRIMARY KEY,
            -- Name all that the figures by surveys are of, and the taps of the others; empty after
            -- a failure, which is tried again.
            mark text NOT NULL,
            taps_mark text NOT NULL,
            made_at timestamptz NOT NULL,
            -- Those of the figures; null where there are none.
            version bigint,
            revision bigint,
            served text,
            promoted text,
            by_surveys text,
            by_taps text)
        """)

    /// The beginning of the last attempt. `made_at` is that of the attempt that made the figures,
    /// and of the first attempt where there are none. Releases before this step wrote `made_at` at
    /// each attempt, and may still run beside this one.
    static let attempts = Migrator.Step(
        "positioner-comparison-attempts",
        "ALTER TABLE radio_maps.positioner_comparisons ADD COLUMN tried_at timestamptz")

    private static let triedAt = "greatest(kept.made_at, kept.tried_at) AS tried_at"

    /// A site that selects positioners, and whose newest radio map has made its choice.
    struct Selecting: Sendable {
        var site: SiteID
        /// The newest selection, a `PositionerSelected`.
        var selected: [UInt8]
        var radioMapVersion: Int
        var hash: String
        /// The choice, a `PositionerChosen`.
        var choice: [UInt8]
        /// The number of recent taps, and the arrival of the newest.
        var taps: String
        /// Names all that the kept figures by surveys are of; nil where nothing was tried.
        var mark: String?
        /// The `taps` that the other kept figures are of.
        var tapsMark: String?
        /// The beginning of the last attempt.
        var triedAt: Timestamp?
    }

    /// The sites, or one of them. The view must have made its tables.
    ///
    /// - Parameter since: the arrival of the oldest taps that count.
    func selecting(
        tapsSince since: Timestamp, of site: SiteID? = nil
    ) async throws -> [Selecting] {
        try await pool.query(
            """
            SELECT selections.site, selections.event, maps.version, maps.hash,
                chosen.event AS choice, taps.mark AS taps, kept.mark, kept.taps_mark,
                \(Self.triedAt)
            FROM (SELECT DISTINCT ON (site) site, event FROM radio_maps.positioner_selections
                WHERE $2::text IS NULL OR site = $2 ORDER BY site, revision DESC) AS selections
            JOIN (SELECT DISTINCT ON (site) site, version, hash
                FROM radio_maps.radio_maps ORDER BY site, version DESC) AS maps
                ON maps.site = selections.site
            JOIN radio_maps.choices AS chosen
                ON chosen.site = maps.site AND chosen.version = maps.version
            CROSS JOIN LATERAL (
                SELECT concat_ws(' ', count(*), extract(epoch FROM max(received_at))) AS mark
                FROM \(TapStore.view).taps AS theirs
                WHERE theirs.site = selections.site AND received_at >= $1) AS taps
            LEFT JOIN radio_maps.positioner_comparisons AS kept ON kept.site = selections.site
            ORDER BY selections.site
            """,
            [
                .timestamp(microseconds: since.microseconds),
                .optional(site?.text, PostgresValue.text),
            ]
        ).map { row in
            let triedAt: Int64? = try row["tried_at"]
            return Selecting(
                site: SiteID(try row["site"]),
                selected: try row["event"], radioMapVersion: try row["version"],
                hash: try row["hash"], choice: try row["choice"], taps: try row["taps"],
                mark: try row["mark"], tapsMark: try row["taps_mark"],
                triedAt: triedAt.map { Timestamp(microseconds: $0) })
        }
    }

    /// The right to compare the positioners of a site, which one process has at a time.
    func turn(of site: SiteID) -> SessionLock {
        pool.sessionLock("whereabouts comparison \(site)")
    }

    /// Replaces the figures of a site.
    ///
    /// - Parameters:
    ///   - mark: names all that those by surveys are of.
    ///   - tapsMark: names the taps of the others.
    func keep(
        _ kept: KeptComparison, of site: SiteID, mark: String, tapsMark: String
    ) async throws {
        try await pool.query(
            """
            INSERT INTO radio_maps.positioner_comparisons
                (site, mark, taps_mark, made_at, tried_at, version, revision, served, promoted,
                by_surveys, by_taps)
            VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (site) DO UPDATE SET mark = excluded.mark, taps_mark = excluded.taps_mark,
                made_at = excluded.made_at, tried_at = excluded.tried_at,
                version = excluded.version, revision = excluded.revision,
                served = excluded.served, promoted = excluded.promoted,
                by_surveys = excluded.by_surveys, by_taps = excluded.by_taps
            """,
            [
                .text(site.text), .text(mark), .text(tapsMark),
                .timestamp(microseconds: kept.madeAt.microseconds),
                .int(kept.basis.radioMapVersion), .int(kept.basis.revision), .text(kept.served),
                .optional(kept.promoted, PostgresValue.text),
                .optional(kept.bySurveys, PostgresValue.text),
                .optional(kept.byTaps, PostgresValue.text),
            ])
    }

    /// Replaces the figures by taps, where those by surveys are of the same mark.
    func keep(
        byTaps: String?, of site: SiteID, mark: String, tapsMark: String, madeAt: Timestamp
    ) async throws {
        try await pool.query(
            """
            UPDATE radio_maps.positioner_comparisons
            SET by_taps = $3, taps_mark = $4, made_at = $5, tried_at = $5
            WHERE site = $1 AND mark = $2
            """,
            [
                .text(site.text), .text(mark), .optional(byTaps, PostgresValue.text),
                .text(tapsMark), .timestamp(microseconds: madeAt.microseconds),
            ])
    }

    /// Lets a site wait for a whole pause. Its figures stay.
    func putOff(_ site: SiteID, at moment: Timestamp) async throws {
        try await pool.query(
            """
            INSERT INTO radio_maps.positioner_comparisons
                (site, mark, taps_mark, made_at, tried_at)
            VALUES ($1, '', '', $2, $2)
            ON CONFLICT (site) DO UPDATE SET mark = '', tried_at = excluded.tried_at
            """, [.text(site.text), .timestamp(microseconds: moment.microseconds)])
    }

    /// The facts about a site's comparison.
    struct Known: Sendable {
        var radioMapVersion: Int?
        var choiceVersion: Int?
        var kept: KeptComparison?
        /// The beginning of the last attempt.
        var triedAt: Timestamp?
        var hasFailed: Bool
    }

    func known(_ site: SiteID) async throws -> Known {
        let row = try await pool.query(
            """
            SELECT (SELECT max(version) FROM radio_maps.radio_maps WHERE site = $1) AS newest,
                (SELECT version FROM radio_maps.choices WHERE site = $1) AS chosen,
                kept.version, kept.revision, kept.made_at, kept.served, kept.promoted,
                kept.by_surveys, kept.by_taps, kept.mark, \(Self.triedAt)
            FROM (SELECT $1::text AS site) AS asked
            LEFT JOIN radio_maps.positioner_comparisons AS kept USING (site)
            """, [.text(site.text)])[0]
        let mark: String? = try row["mark"]
        let triedAt: Int64? = try row["tried_at"]
        return Known(
            radioMapVersion: try row["newest"], choiceVersion: try row["chosen"],
            kept: try Self.kept(row), triedAt: triedAt.map { Timestamp(microseconds: $0) },
            hasFailed: mark == "")
    }

    private static func kept(_ row: PostgresRow) throws -> KeptComparison? {
        let (version, revision): (Int?, Int?) = (try row["version"], try row["revision"])
        guard let version, let revision else { return nil }
        return KeptComparison(
            basis: ComparisonStanding.Basis(radioMapVersion: version, revision: revision),
            madeAt: Timestamp(microseconds: try row["made_at"]), served: try row["served"],
            promoted: try row["promoted"], bySurveys: try row["by_surveys"],
            byTaps: try row["by_taps"])
    }

    // MARK: Removed sites

    /// The sites of which anything is kept, and since when.
    func sites() async throws -> [(site: SiteID, madeAt: Timestamp)] {
        try await pool.query(
            "SELECT site, made_at FROM radio_maps.positioner_comparisons ORDER BY site"
        ).map { row in
            (SiteID(try row["site"]), Timestamp(microseconds: try row["made_at"]))
        }
    }

    func remove(_ site: SiteID) async throws {
        try await pool.query(
            "DELETE FROM radio_maps.positioner_comparisons WHERE site = $1", [.text(site.text)])
    }
}
