import Events
import LogViews
import Postgres

/// Stores the quality of each site's newest radio map and the advice where to survey next, as
/// `QualityKeeper` computed them.
struct QualityStore: Sendable {
    let pool: PostgresPool

    /// Makes the tables of quality in schema `radio_maps`.
    static let migration = Migrator.Step(
        "quality",
        """
        CREATE TABLE radio_maps.quality (
            site text PRIMARY KEY,
            version bigint NOT NULL,
            hash text NOT NULL,
            positioner text NOT NULL,
            floors text NOT NULL);
        CREATE TABLE radio_maps.quality_places (
            site text NOT NULL,
            id text COLLATE "C" NOT NULL,
            floor text NOT NULL,
            document text NOT NULL,
            PRIMARY KEY (site, id));
        CREATE TABLE radio_maps.survey_advice (
            site text NOT NULL,
            floor text NOT NULL,
            rank integer NOT NULL,
            worth double precision NOT NULL,
            document text NOT NULL,
            PRIMARY KEY (site, floor, rank));
        """)

    /// Floors as a value of a query; null for all.
    static func value(_ floors: Set<FloorID>?) -> PostgresValue {
        .optional(floors) { .textArray($0.map(\.text)) }
    }

    /// A column with a JSON array, as an expression of a query. Where `$2` is not null, it has only
    /// the elements for which `condition` on `one` is true.
    static func part(of column: String, where condition: String) -> String {
        """
        CASE WHEN $2::text[] IS NULL THEN \(column) ELSE (
            SELECT '[' || COALESCE(string_agg(one::text, ',' ORDER BY number), '') || ']'
            FROM json_array_elements(\(column)::json) WITH ORDINALITY AS elements (one, number)
            WHERE \(condition)) END AS \(column)
        """
    }

    /// Makes the table of the errors that are expected all over each floor.
    static let errorsMigration = Migrator.Step(
        "expected-errors",
        """
        CREATE TABLE radio_maps.expected_errors (
            site text NOT NULL,
            floor text NOT NULL,
            document text NOT NULL,
            PRIMARY KEY (site, floor))
        """)

    /// A radio map whose quality has not been measured yet.
    struct Due: Sendable {
        var site: SiteID
        var version: Int
        var hash: String
        /// The choice, a `PositionerChosen`.
        var choice: [UInt8]
        /// Whether the map is old enough to be measured.
        var isQuiet: Bool
    }

    /// Newest maps that have chosen their positioner and whose quality has not been measured. Those
    /// that are older than `quiet` are to be measured now.
    func due(quiet: Duration) async throws -> [Due] {
        // The database's clock gives the age; built_at comes from the builder's clock, so the two
        // must agree roughly.
        try await pool.query(
            """
            SELECT maps.site, maps.version, maps.hash, choices.event,
                clock_timestamp() - maps.built_at > make_interval(secs => $1) AS is_quiet
            FROM (
                SELECT DISTINCT ON (site) site, version, hash, built_at
                FROM radio_maps.radio_maps ORDER BY site, version DESC) AS maps
            JOIN radio_maps.choices ON choices.site = maps.site AND choices.version = maps.version
            LEFT JOIN radio_maps.quality AS known ON known.site = maps.site
            WHERE known.version IS DISTINCT FROM maps.version
            ORDER BY maps.site
            """, [.double(quiet / .seconds(1))]
        ).map { row in
            Due(
                site: SiteID(try row["site"]), version: try row["version"], hash: try row["hash"],
                choice: try row["event"], isQuiet: try row["is_quiet"])
        }
    }

    /// Replaces the documents of the site, unless the stored ones are newer.
    func keep(_ documents: QualityDocuments) async throws {
        try await pool.withTransaction { connection in
            let site = PostgresValue.text(documents.site.text)
            let kept = try connection.query(
                """
                INSERT INTO radio_maps.quality (site, version, hash, positioner, floors)
                VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (site) DO UPDATE SET version = excluded.version, hash = excluded.hash,
                    positioner = excluded.positioner, floors = excluded.floors
                WHERE quality.version <= excluded.version
                """,
                [
                    site, .int(documents.version), .text(documents.hash),
                    .text(documents.positioner), .text(documents.floors),
                ])
            guard kept.affected == 1 else { return }
            try connection.query("DELETE FROM radio_maps.quality_places WHERE site = $1", [site])
            try connection.query(
                """
                INSERT INTO radio_maps.quality_places (site, id, floor, document)
                SELECT $1, floor || '/' || name, floor, document
                FROM unnest($2::text[], $3::text[], $4::text[]) AS new (floor, name, document)
                """,
                [
                    site, .textArray(documents.places.map(\.floor.text)),
                    .textArray(documents.places.map(\.name)),
                    .textArray(documents.places.map(\.json)),
                ])
            try connection.query("DELETE FROM radio_maps.survey_advice WHERE site = $1", [site])
            try connection.query(
                """
                INSERT INTO radio_maps.survey_advice (site, floor, rank, worth, document)
                SELECT $1, floor, rank, worth, document
                FROM unnest($2::text[], $3::int[], $4::float8[], $5::text[])
                    AS new (floor, rank, worth, document)
                """,
                [
                    site, .textArray(documents.advice.map(\.floor.text)),
                    .int32Array(documents.advice.map { Int32(clamping: $0.rank) }),
                    .doubleArray(documents.advice.map(\.worth)),
                    .textArray(documents.advice.map(\.json)),
                ])
            try connection.query("DELETE FROM radio_maps.expected_errors WHERE site = $1", [site])
            try connection.query(
                """
                INSERT INTO radio_maps.expected_errors (site, floor, document)
                SELECT $1, floor, document FROM unnest($2::text[], $3::text[])
                    AS new (floor, document)
                """,
                [
                    site, .textArray(documents.errors.map(\.floor.text)),
                    .textArray(documents.errors.map(\.json)),
                ])
        }
    }
}
