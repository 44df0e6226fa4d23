import EventLog
import Events
import LogViews
import Positioning
import Postgres
import Wire

extension RadioMapStore {
    /// Stores a new version with its parts, its fingerprints and its announcement, in one
    /// transaction. The result is false, and nothing has changed, when another builder stored this
    /// version first.
    func publish(_ publication: MapPublication, source: String) async throws -> Bool {
        let announcement = publication.announcement
        let record = announcement.record(source: source)
        let isNew: Bool = try await pool.withTransaction { connection in
            let site = PostgresValue.text(announcement.site.text)
            let inserted = try connection.query(
                """
                INSERT INTO radio_maps.radio_maps
                    (site, version, hash, site_version, surveys, built_at, event, reviews)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING
                """,
                [
                    site, .int(announcement.version), .text(announcement.hash),
                    .int(announcement.siteVersion), .int(publication.surveys),
                    .timestamp(microseconds: announcement.builtAt.microseconds),
                    .bytes(record.value ?? []), .int(publication.reviews),
                ])
            guard inserted.affected == 1 else { return false }
            try keep(publication.parts, of: announcement, connection)
            try forget(
                upTo: announcement.version - MapLimits.versionsKept, site, connection)
            let found = try keep(publication.judgement, source: source, connection)
            try dropFormerBuildings(publication.parts, site, connection)
            for part in publication.parts {
                guard let new = part.new else { continue }
                try new.notes.replace(site, part.announced.building, connection)
                try keep(discarded: new, site, connection)
            }
            try PartNotes.replaceAll(site, groups: publication.groups, connection)
            let records = try replaceFingerprints(publication, site, source: source, connection)
            try Self.outbox.put(found + records + [record], connection: connection)
            return true
        }
        if isNew { bell.ring() }
        return isNew
    }

    private func keep(
        _ parts: [MadePart], of announcement: RadioMapAnnounced,
        _ connection: isolated PostgresConnection
    ) throws {
        for part in parts {
            if let new = part.new {
                try connection.query(
                    """
                    INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ($1, $2)
                    ON CONFLICT (hash) DO NOTHING
                    """, [.text(part.announced.hash), .bytes(new.bytes)])
            }
            try connection.query(
                """
                INSERT INTO radio_maps.parts (site, version, building, hash, bytes, inputs)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                [
                    .text(announcement.site.text), .int(announcement.version),
                    .text(part.announced.building.text), .text(part.announced.hash),
                    .int(part.announced.byteCount), .text(part.inputs),
                ])
        }
    }

    /// Notes that the site's newest map holds the present surveys, because a new one would have the
    /// same parts.
    func confirm(
        _ newest: Version, of site: SiteID, surveys: Int, reviews: Int
    ) async throws {
        try await pool.withTransaction { connection in
            try connection.query(
                """
                UPDATE radio_maps.radio_maps SET surveys = $3, reviews = $4
                WHERE site = $1 AND version = $2
                """, [.text(site.text), .int(newest.version), .int(surveys), .int(reviews)])
            try dropRemoved(.text(site.text), connection)
        }
    }

    // MARK: Surveys that are left out

    /// Replaces the list of a building's surveys that the newest map leaves out.
    private func keep(
        discarded part: MadePart.New, _ site: PostgresValue,
        _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            DELETE FROM radio_maps.discarded_surveys
            WHERE site = $1 AND survey = ANY ($2::text[]::uuid[])
            """, [site, .textArray(part.surveys.map(\.description))])
        try connection.query(
            """
            INSERT INTO radio_maps.discarded_surveys (site, survey)
            SELECT $1, id::uuid FROM unnest($2::text[]) AS new (id) ON CONFLICT DO NOTHING
            """, [site, .textArray(part.discarded.map(\.description))])
        try dropRemoved(site, connection)
    }

    /// Drops surveys from the list that are no longer on the log.
    private func dropRemoved(
        _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        let isThere: Bool = try connection.query(
            "SELECT to_regclass('fingerprint_builder.surveys') IS NOT NULL AS there")[0]["there"]
        guard isThere else { return }
        try connection.query(
            """
            DELETE FROM radio_maps.discarded_surveys AS discarded WHERE site = $1
                AND NOT EXISTS (SELECT FROM fingerprint_builder.surveys
                    WHERE surveys.id = discarded.survey)
            """, [site])
    }

    /// Drops the notes of buildings that have no part any more.
    private func dropFormerBuildings(
        _ parts: [MadePart], _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "DELETE FROM radio_maps.part_notes WHERE site = $1 AND building <> ALL ($2::text[])",
            [site, .textArray(parts.map(\.announced.building.text))])
    }

    /// Stores the result of judging new surveys, and returns its events.
    private func keep(
        _ judgement: SurveyJudgement, source: String, _ connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        guard let judged = judgement.judged else { return [] }
        try connection.query(
            """
            INSERT INTO radio_maps.judged_surveys (survey, site)
            SELECT id::uuid, $1 FROM unnest($2::text[]) AS new (id) ON CONFLICT DO NOTHING
            """, [.text(judged.site.text), .textArray(judged.surveys.map(\.description))])
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
            + judged.pieces(of: Self.judgedAtOnce).map { $0.record(source: source) }
    }

    // MARK: Former versions

    /// Removes versions up to this one, and those that no position can name any more, because they
    /// were replaced before the oldest position.
    private func forget(
        upTo version: Int, _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        let unnamed: Int? = try connection.query(
            """
            SELECT max(version) AS unnamed FROM (
                SELECT version, lead(built_at) OVER (ORDER BY version) AS replaced_at
                FROM radio_maps.radio_maps WHERE site = $1) AS versions
            WHERE replaced_at < clock_timestamp() - make_interval(secs => $2)
            """, [site, .double(positionsKept / .seconds(1))])[0]["unnamed"]
        try remove(upTo: max(version, unnamed ?? version), site, connection)
    }

    /// Removes all versions of a site before the newest, because one of their surveys was erased.
    func forgetFormer(of site: SiteID) async throws {
        try await pool.withTransaction { connection in
            let newest: Int? = try connection.query(
                "SELECT max(version) AS newest FROM radio_maps.radio_maps WHERE site = $1",
                [.text(site.text)])[0]["newest"]
            guard let newest else { return }
            try remove(upTo: newest - 1, .text(site.text), connection)
        }
    }

    /// Removes versions, and artifacts that no version names any more.
    private func remove(
        upTo version: Int, _ site: PostgresValue, _ connection: isolated PostgresConnection
    ) throws {
        let gone = try connection.query(
            """
            WITH maps AS (DELETE FROM radio_maps.radio_maps
                WHERE site = $1 AND version <= $2 RETURNING hash),
            parts AS (DELETE FROM radio_maps.parts
                WHERE site = $1 AND version <= $2 RETURNING hash)
            SELECT hash FROM maps UNION SELECT hash FROM parts
            """, [site, .int(version)])
        let hashes: [String] = try gone.map { try $0["hash"] }
        guard !hashes.isEmpty else { return }
        try connection.query(
            """
            DELETE FROM radio_maps.artifacts AS artifact WHERE hash = ANY ($1)
                AND NOT EXISTS (
                    SELECT FROM radio_maps.radio_maps AS maps WHERE maps.hash = artifact.hash)
                AND NOT EXISTS (
                    SELECT FROM radio_maps.parts AS parts WHERE parts.hash = artifact.hash)
            """, [.textArray(hashes)])
    }

    // MARK: Fingerprints

    /// Replaces the fingerprints of new parts, and removes those of buildings without a part. It
    /// returns their events, and tombstones for those that are gone.
    private func replaceFingerprints(
        _ publication: MapPublication, _ site: PostgresValue, source: String,
        _ connection: isolated PostgresConnection
    ) throws -> [LogRecord] {
        let announcement = publication.announcement
        let kept = publication.parts.filter { $0.new == nil }
        let fingerprints = publication.parts.filter { $0.new != nil }.flatMap {
            $0.part.map.placeStatistics(site: announcement.site, version: announcement.version)
        }
        let records = fingerprints.map { $0.record(source: source) }
        let before = try connection.query(
            """
            DELETE FROM radio_maps.fingerprints WHERE site = $1 AND floor <> ALL ($2::text[])
            RETURNING site, floor, place
            """, [site, .textArray(kept.flatMap { $0.part.map.floors.map(\.text) })])
        let keys = Set(records.map(\.key))
        var tombstones: [LogRecord] = []
        for row in before {
            let parts: [String] = [try row["site"], try row["floor"], try row["place"]]
            let key = Array(parts.joined(separator: "/").utf8)
            if !keys.contains(key) {
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
