import Events
import LogViews
import Postgres
import RadioMapCare

/// Stores how the positioners of sites did in `ComparisonKeeper`'s trials, and finds the sites
/// that select some.
struct ComparisonStore: Sendable {
    let pool: PostgresPool

    static let migration = Migrator.Step(
        "positioner-comparisons",
        """
        CREATE TABLE radio_maps.positioner_comparisons (
            site text PRIMARY KEY,
            -- Names all that the figures are of; empty after a failure, which is tried again.
            mark text NOT NULL,
            made_at timestamptz NOT NULL,
            -- Those of the figures; null where there are none.
            version bigint,
            revision bigint,
            document text)
        """)

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
        /// Names all that the kept figures are of; nil where nothing was tried.
        var mark: String?
        var madeAt: Timestamp?
    }

    /// - Parameter since: the arrival of the oldest taps that count. The view must have made its
    ///   tables.
    func selecting(tapsSince since: Timestamp) async throws -> [Selecting] {
        try await pool.query(
            """
            SELECT selections.site, selections.event, maps.version, maps.hash,
                chosen.event AS choice, taps.mark AS taps, kept.mark, kept.made_at
            FROM (SELECT DISTINCT ON (site) site, event FROM radio_maps.positioner_selections
                ORDER BY site, revision DESC) AS selections
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
            """, [.timestamp(microseconds: since.microseconds)]
        ).map { row in
            let madeAt: Int64? = try row["made_at"]
            return Selecting(
                site: SiteID(try row["site"]),
                selected: try row["event"], radioMapVersion: try row["version"],
                hash: try row["hash"], choice: try row["choice"], taps: try row["taps"],
                mark: try row["mark"],
                madeAt: madeAt.map { Timestamp(microseconds: $0) })
        }
    }

    /// Replaces the figures of a site.
    ///
    /// - Parameters:
    ///   - mark: names all that they are of.
    ///   - document: a JSON object.
    func keep(
        _ document: String, of site: SiteID, _ basis: ComparisonStanding.Basis, mark: String,
        madeAt: Timestamp
    ) async throws {
        try await pool.query(
            """
            INSERT INTO radio_maps.positioner_comparisons
                (site, mark, made_at, version, revision, document)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (site) DO UPDATE SET mark = excluded.mark, made_at = excluded.made_at,
                version = excluded.version, revision = excluded.revision,
                document = excluded.document
            """,
            [
                .text(site.text), .text(mark), .timestamp(microseconds: madeAt.microseconds),
                .int(basis.radioMapVersion), .int(basis.revision), .text(document),
            ])
    }

    /// Lets a site wait for a whole pause. Its figures stay.
    func putOff(_ site: SiteID, at moment: Timestamp) async throws {
        try await pool.query(
            """
            INSERT INTO radio_maps.positioner_comparisons (site, mark, made_at)
            VALUES ($1, '', $2)
            ON CONFLICT (site) DO UPDATE SET mark = '', made_at = excluded.made_at
            """, [.text(site.text), .timestamp(microseconds: moment.microseconds)])
    }

    /// The facts about a site's comparison.
    struct Known: Sendable {
        var radioMapVersion: Int?
        var choiceVersion: Int?
        var kept: ComparisonStanding.Basis?
        var document: String?
        var hasFailed: Bool
    }

    func known(_ site: SiteID) async throws -> Known {
        let row = try await pool.query(
            """
            SELECT (SELECT max(version) FROM radio_maps.radio_maps WHERE site = $1) AS newest,
                (SELECT version FROM radio_maps.choices WHERE site = $1) AS chosen,
                kept.version, kept.revision, kept.document, kept.mark
            FROM (SELECT $1::text AS site) AS asked
            LEFT JOIN radio_maps.positioner_comparisons AS kept USING (site)
            """, [.text(site.text)])[0]
        let (version, revision): (Int?, Int?) = (try row["version"], try row["revision"])
        let mark: String? = try row["mark"]
        var kept: ComparisonStanding.Basis?
        if let version, let revision {
            kept = ComparisonStanding.Basis(radioMapVersion: version, revision: revision)
        }
        return Known(
            radioMapVersion: try row["newest"], choiceVersion: try row["chosen"], kept: kept,
            document: try row["document"], hasFailed: mark == "")
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
