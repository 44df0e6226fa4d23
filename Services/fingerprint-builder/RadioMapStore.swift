import EventLog
import Events
import LogViews
import Positioning
import Postgres
import RadioMapCare
import Wire

/// Stores radio maps: artifacts by their hash, versions by their site, and the fingerprints of the
/// newest. They outlive a rebuild of the views.
struct RadioMapStore: Sendable {
    static let schema = "radio_maps"
    static let outbox = Outbox(schema: schema, largestRecord: { Topic.largestRecord($0) })
    let pool: PostgresPool

    static let migrator = Migrator(
        schema: schema,
        steps: [
            .schema("radio_maps"),
            Migrator.Step(
                "maps",
                """
                CREATE TABLE radio_maps.artifacts (
                    hash text PRIMARY KEY,
                    bytes bytea NOT NULL);
                ALTER TABLE radio_maps.artifacts ALTER COLUMN bytes SET STORAGE EXTERNAL;
                CREATE TABLE radio_maps.radio_maps (
                    site text NOT NULL,
                    version bigint NOT NULL,
                    hash text NOT NULL REFERENCES radio_maps.artifacts,
                    site_version bigint NOT NULL,
                    surveys bigint NOT NULL,
                    built_at timestamptz NOT NULL,
                    event bytea NOT NULL,
                    PRIMARY KEY (site, version));
                CREATE TABLE radio_maps.fingerprints (
                    site text NOT NULL,
                    floor text NOT NULL,
                    place text NOT NULL,
                    room text,
                    x double precision NOT NULL,
                    y double precision NOT NULL,
                    surveys integer NOT NULL,
                    event jsonb NOT NULL,
                    PRIMARY KEY (site, floor, place));
                """),
            outbox.migration,
            Migrator.Step(
                "choices",
                """
                CREATE TABLE radio_maps.choices (
                    site text PRIMARY KEY,
                    version bigint NOT NULL,
                    event bytea NOT NULL)
                """),
            QualityStore.migration,
            AccessPointNotes.migration,
            AccessPointNotes.reasonMigration,
            // Each map keeps its own choice here; the table `choices` has only the newest of each
            // site.
            Migrator.Step("choice", "ALTER TABLE radio_maps.radio_maps ADD COLUMN choice bytea"),
            Migrator.Step(
                "discarded",
                """
                CREATE TABLE radio_maps.discarded_surveys (
                    site text NOT NULL,
                    survey uuid NOT NULL,
                    PRIMARY KEY (site, survey))
                """),
            Migrator.Step(
                "judged",
                """
                ALTER TABLE radio_maps.radio_maps ADD COLUMN reviews bigint NOT NULL DEFAULT 0;
                -- What this builder has found and the log has not brought back yet.
                CREATE TABLE radio_maps.judged (
                    site text NOT NULL,
                    log_partition integer NOT NULL,
                    next_offset bigint NOT NULL,
                    PRIMARY KEY (site, log_partition));
                CREATE TABLE radio_maps.kept_aside (
                    survey uuid PRIMARY KEY,
                    site text NOT NULL)
                """),
        ])

    /// One version of a site's map, and the numbers it was built from.
    struct Version: Sendable {
        var version: Int
        var hash: String
        var siteVersion: Int
        var surveys: Int
        var reviews: Int
        var event: [UInt8]
        /// The event of the map's choice; nil until it has chosen.
        var choice: [UInt8]?
    }

    func newest(_ site: SiteID) async throws -> Version? { try await version(nil, of: site) }

    /// - Parameter version: nil for the newest.
    func version(_ version: Int?, of site: SiteID) async throws -> Version? {
        try await pool.query(
            """
            SELECT version, hash, site_version, surveys, reviews, event, choice
            FROM radio_maps.radio_maps
            WHERE site = $1 AND ($2::bigint IS NULL OR version = $2) ORDER BY version DESC LIMIT 1
            """, [.text(site.text), .optional(version, PostgresValue.int)]
        ).first.map { row in
            Version(
                version: try row["version"], hash: try row["hash"],
                siteVersion: try row["site_version"], surveys: try row["surveys"],
                reviews: try row["reviews"], event: try row["event"], choice: try row["choice"])
        }
    }

    /// The newest map of each site that is older than `quiet` and has not chosen its positioner.
    func newestWithoutChoice(quiet: Duration) async throws -> [(
        site: SiteID, version: Int, hash: String
    )] {
        try await pool.query(
            """
            SELECT newest.site, newest.version, newest.hash
            FROM (
                SELECT DISTINCT ON (site) site, version, hash, built_at FROM radio_maps.radio_maps
                ORDER BY site, version DESC) AS newest
            LEFT JOIN radio_maps.choices USING (site)
            WHERE (choices.version IS NULL OR choices.version < newest.version)
                AND clock_timestamp() - newest.built_at >= make_interval(secs => $1)
            """, [.double(quiet / .seconds(1))]
        ).map { row in (SiteID(try row["site"]), try row["version"], try row["hash"]) }
    }

    /// Stores and announces a choice, unless there is one of this map or of a newer one.
    func publish(_ choice: PositionerChosen, source: String) async throws {
        let record = choice.record(source: source)
        try await pool.withTransaction { connection in
            let changed = try connection.query(
                """
                INSERT INTO radio_maps.choices AS known (site, version, event)
                VALUES ($1, $2, $3)
                ON CONFLICT (site) DO UPDATE SET version = excluded.version, event = excluded.event
                WHERE known.version < excluded.version
                """,
                [
                    .text(choice.site.text), .int(choice.radioMapVersion),
                    .bytes(record.value ?? []),
                ])
            guard changed.affected == 1 else { return }
            try connection.query(
                "UPDATE radio_maps.radio_maps SET choice = $3 WHERE site = $1 AND version = $2",
                [
                    .text(choice.site.text), .int(choice.radioMapVersion),
                    .bytes(record.value ?? []),
                ])
            try Self.outbox.put([record], connection: connection)
        }
    }

    /// The artifact's bytes; nil when there is none with this hash.
    func artifact(_ hash: String) async throws -> [UInt8]? {
        try await pool.query(
            "SELECT bytes FROM radio_maps.artifacts WHERE hash = $1", [.text(hash)]
        ).first.map { try $0["bytes"] }
    }

    /// The sites that have had a map with this hash.
    func sites(of hash: String) async throws -> [SiteID] {
        try await pool.query(
            "SELECT DISTINCT site FROM radio_maps.radio_maps WHERE hash = $1", [.text(hash)]
        ).map { SiteID(try $0["site"]) }
    }

    /// Stores a new version with its fingerprints and its announcement, in one transaction. The
    /// result is false, and nothing has changed, when another builder stored this version first.
    /// - Parameters:
    ///   - surveys: the number of surveys at the time of the build, with the discarded ones.
    ///   - reviews: the number of decisions and withdrawals until then.
    ///   - judgement: the result of judging new surveys.
    ///   - discarded: the surveys that the map leaves out.
    func publish(
        _ announcement: RadioMapAnnounced, artifact: [UInt8], surveys: Int, reviews: Int,
        judgement: SurveyJudgement, discarded: [EventID],
        fingerprints: [FingerprintBuilt], changes: [TransmitterChange],
        refused: Set<HardwareAddress>,
        groups: [[Transmitter]],
        source: String
    ) async throws -> Bool {
        try await pool.withTransaction { connection in
            let site = PostgresValue.text(announcement.site.text)
            let kept = try connection.query(
                """
                INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ($1, $2)
                ON CONFLICT (hash) DO NOTHING
                """, [.text(announcement.hash), .bytes(artifact)])
            let record = announcement.record(source: source)
            let inserted = try connection.query(
                """
                INSERT INTO radio_maps.radio_maps
                    (site, version, hash, site_version, surveys, built_at, event, reviews)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
                """,
                [
                    site, .int(announcement.version), .text(announcement.hash),
                    .int(announcement.siteVersion), .int(surveys),
                    .timestamp(microseconds: announcement.builtAt.microseconds),
                    .bytes(record.value ?? []), .int(reviews),
                ])
            guard inserted.affected == 1 else {
                // The artifact has to go, because no version would ever name it and have it removed
                // later.
                if kept.affected == 1 {
                    try connection.query(
                        "DELETE FROM radio_maps.artifacts WHERE hash = $1",
                        [.text(announcement.hash)])
                }
                return false
            }
            try forget(olderThan: announcement.version, site, connection)
            let found = try keep(judgement, source: source, connection)
            try connection.query(
                "DELETE FROM radio_maps.discarded_surveys WHERE site = $1", [site])
            try connection.query(
                """
                INSERT INTO radio_maps.discarded_surveys (site, survey)
                SELECT $1, id::uuid FROM unnest($2::text[]) AS new (id)
                """, [site, .textArray(discarded.map(\.description))])
            try AccessPointNotes(changes, refused: refused, groups: groups).replace(
                site, connection)
            let records = try replace(fingerprints, site, source: source, connection)
            try Self.outbox.put(found + records + [record], connection: connection)
            return true
        }
    }

    /// Removes versions beyond those that are kept, and artifacts that no version names any more.
    private func forget(
        olderThan version: Int, _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        let gone = try connection.query(
            "DELETE FROM radio_maps.radio_maps WHERE site = $1 AND version <= $2 RETURNING hash",
            [site, .int(version - MapLimits.versionsKept)])
        let hashes: [String] = try gone.map { try $0["hash"] }
        guard !hashes.isEmpty else { return }
        try connection.query(
            """
            DELETE FROM radio_maps.artifacts AS artifact WHERE hash = ANY ($1)
                AND NOT EXISTS (
                    SELECT FROM radio_maps.radio_maps AS maps WHERE maps.hash = artifact.hash)
            """, [.textArray(hashes)])
    }

    /// Stores the result of judging new surveys, and returns its events.
    private func keep(
        _ judgement: SurveyJudgement, source: String, _ connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        guard let judged = judgement.judged else { return [] }
        try connection.query(
            """
            INSERT INTO radio_maps.judged AS known (site, log_partition, next_offset)
            SELECT $1, place - 1, next FROM unnest($2::bigint[]) WITH ORDINALITY \
            AS new (next, place)
            ON CONFLICT (site, log_partition) DO UPDATE
                SET next_offset = greatest(known.next_offset, excluded.next_offset)
            """, [.text(judged.site.text), .int64Array(judged.surveyOffsets)])
        try connection.query(
            """
            INSERT INTO radio_maps.kept_aside (survey, site)
            SELECT id::uuid, $1 FROM unnest($2::text[]) AS new (id) ON CONFLICT DO NOTHING
            """,
            [
                .text(judged.site.text),
                .textArray(judgement.keptAside.map(\.survey.description)),
            ])
        return judgement.keptAside.map { $0.record(source: source) }
            + [judged.record(source: source)]
    }

    /// Replaces the site's fingerprints. It returns their events, and tombstones for those that are
    /// gone.
    private func replace(
        _ fingerprints: [FingerprintBuilt], _ site: PostgresValue, source: String,
        _ connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        let records = fingerprints.map { $0.record(source: source) }
        let before = try connection.query(
            "DELETE FROM radio_maps.fingerprints WHERE site = $1 RETURNING site, floor, place",
            [site])
        let kept = Set(records.map(\.key))
        var tombstones: [LogRecord] = []
        for row in before {
            let parts: [String] = [try row["site"], try row["floor"], try row["place"]]
            let key = Array(parts.joined(separator: "/").utf8)
            if !kept.contains(key) {
                tombstones.append(
                    LogRecord(topic: Topic.fingerprints.name, key: key, value: nil))
            }
        }
        try connection.query(
            """
            INSERT INTO radio_maps.fingerprints
                (site, floor, place, room, x, y, surveys, event)
            SELECT $1, floor, place, room, x, y, surveys, event::jsonb
            FROM unnest($2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[],
                $7::int[], $8::text[]) AS new (floor, place, room, x, y, surveys, event)
            """,
            [
                site, .textArray(fingerprints.map(\.floor.text)),
                .textArray(fingerprints.map(\.place)),
                .textArray(fingerprints.map { $0.room?.text }),
                .doubleArray(fingerprints.map(\.x)), .doubleArray(fingerprints.map(\.y)),
                .int32Array(fingerprints.map { Int32(clamping: $0.surveys) }),
                .textArray(records.map { String(decoding: $0.value ?? [], as: UTF8.self) }),
            ])
        return tombstones + records
    }
}
