import Events
import LogViews
import Postgres
import Wire

/// Reads the rows of taps, and stores what they say about each site's newest radio map.
struct TapStore: Sendable {
    static let view = "fingerprint_builder"

    let pool: PostgresPool
    /// The most bytes of a site's events that are read: some 10,000 taps.
    var mostBytes = 33_554_432

    /// Makes the tables of findings in schema `radio_maps`.
    static let migration = Migrator.Step(
        "tap-findings",
        """
        CREATE TABLE radio_maps.tap_findings (
            site text PRIMARY KEY,
            -- The map and the taps of which these are.
            mark text NOT NULL,
            found_at timestamptz NOT NULL,
            changes text NOT NULL);
        CREATE TABLE radio_maps.disagreeing_places (
            site text NOT NULL,
            rank integer NOT NULL,
            floor text NOT NULL,
            document text NOT NULL,
            PRIMARY KEY (site, rank))
        """)

    /// A site with other taps, or another map, than its findings are of.
    struct Due: Sendable {
        var site: SiteID
        var mark: String
        /// The hash of the newest map; nil where there is none.
        var hash: String?
        var hasFindings: Bool
    }

    /// The sites whose findings are older than the pause and not of the present taps.
    func due(pause: Duration) async throws -> [Due] {
        try await pool.query(
            """
            SELECT site, mark, hash, has_findings FROM (
                SELECT site, maps.hash, kept.site IS NOT NULL AS has_findings,
                    concat_ws(' ', coalesce(maps.version, 0), coalesce(taps.count, 0),
                        taps.newest) AS mark
                FROM (SELECT site, count(*) AS count, extract(epoch FROM max(appended_at)) AS newest
                    FROM \(Self.view).taps GROUP BY site) AS taps
                FULL JOIN (SELECT site FROM radio_maps.tap_findings) AS kept USING (site)
                LEFT JOIN (SELECT DISTINCT ON (site) site, version, hash
                    FROM radio_maps.radio_maps ORDER BY site, version DESC) AS maps USING (site)
            ) AS present LEFT JOIN radio_maps.tap_findings AS known USING (site, mark)
            WHERE known.site IS NULL AND NOT EXISTS (
                SELECT FROM radio_maps.tap_findings AS fresh WHERE fresh.site = present.site
                    AND fresh.found_at > clock_timestamp() - make_interval(secs => $1))
            ORDER BY site
            """, [.double(pause / .seconds(1))]
        ).map { row in
            Due(
                site: SiteID(try row["site"]), mark: try row["mark"], hash: try row["hash"],
                hasFindings: try row["has_findings"])
        }
    }

    /// The newest taps of each device of a site. If there are too many, each device has its turn
    /// with one after the other, so that some who send many leave out nobody.
    ///
    /// - Parameter since: the arrival of the oldest; nil for all that are kept.
    func taps(of site: SiteID, since: Timestamp? = nil) async throws -> [TapRecorded] {
        try await pool.query(
            """
            SELECT event FROM (SELECT event, sum(octet_length(event))
                    OVER (ORDER BY turn, received_at DESC, id) AS bytes
                FROM (SELECT id, received_at, event, row_number() OVER (
                        PARTITION BY device ORDER BY received_at DESC, id) AS turn
                    FROM \(Self.view).taps
                    WHERE site = $1 AND ($3::timestamptz IS NULL OR received_at >= $3)
                ) AS theirs) AS all_turns
            WHERE bytes <= $2
            """,
            [
                .text(site.text), .int(mostBytes),
                .optional(since) { .timestamp(microseconds: $0.microseconds) },
            ]
        ).map { try TapRecorded(json: try $0["event"]) }
    }

    /// A page of a site's taps by id, each with whether it is a survey.
    func page(
        of site: SiteID, after: EventID?, limit: Int
    ) async throws -> [ListedTap] {
        try await pool.query(
            """
            SELECT taps.event, surveys.id IS NOT NULL AS is_survey
            FROM \(Self.view).taps AS taps
            LEFT JOIN \(Self.view).surveys AS surveys ON surveys.id = taps.id
            WHERE taps.site = $1 AND ($2::uuid IS NULL OR taps.id > $2)
            ORDER BY taps.id LIMIT $3
            """,
            [
                .text(site.text), .optional(after) { .uuid($0.bytes) }, .int(limit),
            ]
        ).map { ListedTap(try TapRecorded(json: try $0["event"]), isSurvey: try $0["is_survey"]) }
    }

    func tap(_ id: EventID, of site: SiteID) async throws -> TapRecorded? {
        try await pool.query(
            "SELECT event FROM \(Self.view).taps WHERE id = $1 AND site = $2",
            [.uuid(id.bytes), .text(site.text)]
        ).first.map { try TapRecorded(json: try $0["event"]) }
    }

    /// Replaces the findings of a site.
    ///
    /// - Parameters:
    ///   - places: the worst first.
    ///   - changes: as a JSON array.
    func keep(
        _ due: Due, places: [(floor: FloorID, json: String)], changes: String
    ) async throws {
        try await pool.withTransaction { connection in
            let site = PostgresValue.text(due.site.text)
            try connection.query(
                """
                INSERT INTO radio_maps.tap_findings (site, mark, found_at, changes)
                VALUES ($1, $2, clock_timestamp(), $3)
                ON CONFLICT (site) DO UPDATE SET mark = excluded.mark,
                    found_at = excluded.found_at, changes = excluded.changes
                """, [site, .text(due.mark), .text(changes)])
            try connection.query(
                "DELETE FROM radio_maps.disagreeing_places WHERE site = $1", [site])
            try connection.query(
                """
                INSERT INTO radio_maps.disagreeing_places (site, rank, floor, document)
                SELECT $1, rank, floor, document FROM unnest($2::text[], $3::text[])
                    WITH ORDINALITY AS new (floor, document, rank)
                """,
                [
                    site, .textArray(places.map(\.floor.text)), .textArray(places.map(\.json)),
                ])
        }
    }

    /// Lets a site wait for a whole pause. Its findings stay.
    func putOff(_ site: SiteID) async throws {
        try await pool.query(
            """
            INSERT INTO radio_maps.tap_findings (site, mark, found_at, changes)
            VALUES ($1, '', clock_timestamp(), '[]')
            ON CONFLICT (site) DO UPDATE SET found_at = excluded.found_at
            """, [.text(site.text)])
    }

    /// Forgets the findings of a site.
    func remove(_ site: SiteID) async throws {
        try await pool.withTransaction { connection in
            for table in ["tap_findings", "disagreeing_places"] {
                try connection.query(
                    "DELETE FROM radio_maps.\(table) WHERE site = $1", [.text(site.text)])
            }
        }
    }

    /// The findings that the coach tells: places, the worst first, and changes as a JSON array.
    /// Those that visitors' scans show come last.
    ///
    /// - Parameter floors: the floors to tell of: changes, too, that came from there or went there.
    ///   Nil for all, and for changes whose place is not known.
    static func findings(
        of site: SiteID, on floors: Set<FloorID>?, limit: Int, _ pool: PostgresPool
    ) async throws -> (places: [String], changes: String) {
        let shown = QualityStore.value(floors)
        let places = try await pool.query(
            """
            SELECT document FROM radio_maps.disagreeing_places
            WHERE site = $1 AND ($2::text[] IS NULL OR floor = ANY ($2)) ORDER BY rank LIMIT $3
            """,
            [.text(site.text), shown, .int(limit)]
        ).map { row -> String in try row["document"] }
        let place = "one->'before'->>'floor' = ANY ($2) OR one->'after'->>'floor' = ANY ($2)"
        let changes = try await pool.query(
            """
            SELECT \(QualityStore.part(of: "changes", where: place)),
                \(QualityStore.part(of: "visitor_changes", where: place))
            FROM radio_maps.tap_findings WHERE site = $1
            """,
            [.text(site.text), shown]
        ).first.map { row -> [String] in [try row["changes"], try row["visitor_changes"]] }
        // Each is an array without spaces around.
        let elements = (changes ?? []).map { $0.dropFirst().dropLast() }.filter { !$0.isEmpty }
        return (places, "[" + elements.joined(separator: ",") + "]")
    }

    /// Drops the rows that are past the retention. Their age counts from the time at which the log
    /// received them. The earlier of both clocks counts, so that one that is ahead drops nothing.
    func sweep(keeping days: Int64, now: Timestamp) async throws {
        try await pool.query(
            """
            DELETE FROM \(Self.view).taps
            WHERE appended_at < least(clock_timestamp(), $1) - make_interval(days => $2::int)
            """, [.timestamp(microseconds: now.microseconds), .int64(days)])
    }

    /// False until the view has made its tables.
    func hasTables() async throws -> Bool {
        try await pool.query(
            "SELECT to_regclass('\(Self.view).taps') IS NOT NULL AS there")[0]["there"]
    }
}
