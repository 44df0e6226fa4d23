import EventLog
import Events
import LogViews
import Positioning
import Postgres
import ServiceHost
import Site
import Wire

/// The tables `fingerprint_builder.surveys`, `.measurements` (a row for each reading),
/// `.access_points`, `.taps` (`TapRows`), and `.sites`, which shows when a site's radio map is out
/// of date.
///
/// A tombstone removes a survey with its readings. Erasures of devices are only noted here:
/// `SurveyRemoval` then makes the tombstones.
struct SurveysView: View {
    let name = "fingerprint-builder"
    let schema = "fingerprint_builder"
    let topics = [Topic.surveyRecords, .surveyReviews, .erasures, .taps].map(\.name)

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step(
                "surveys",
                """
                CREATE TABLE \(schema).surveys (
                    id uuid PRIMARY KEY,
                    site text NOT NULL,
                    device text NOT NULL,
                    at timestamptz NOT NULL,
                    event bytea NOT NULL);
                CREATE INDEX ON \(schema).surveys (site, id);
                CREATE TABLE \(schema).measurements (
                    site text NOT NULL,
                    access_point text NOT NULL,
                    survey uuid NOT NULL,
                    rssi integer NOT NULL,
                    frequency integer);
                CREATE INDEX ON \(schema).measurements (site, access_point);
                CREATE INDEX ON \(schema).measurements (survey);
                CREATE TABLE \(schema).access_points (
                    site text NOT NULL,
                    id text NOT NULL,
                    name text,
                    first_heard timestamptz NOT NULL,
                    last_heard timestamptz NOT NULL,
                    measurements bigint NOT NULL,
                    PRIMARY KEY (site, id));
                CREATE TABLE \(schema).sites (
                    site text PRIMARY KEY,
                    surveys bigint NOT NULL,
                    changed_at timestamptz NOT NULL)
                """),
            // The time keeps a survey that is put back later from overwriting a newer name.
            Migrator.Step(
                "named-at", "ALTER TABLE \(schema).access_points ADD COLUMN named_at timestamptz"),
            SurveyReviews.migration(schema: schema), Self.recordsMigration(schema: schema),
            SurveyTimes.migration(schema: schema), TapRows.migration(schema: schema),
        ]
    }

    /// Surveys with a key of their own. Rows of earlier releases stay, and their copies find them
    /// there.
    private static func recordsMigration(schema: String) -> Migrator.Step {
        Migrator.Step(
            "survey-records",
            """
            ALTER TABLE \(schema).surveys
                -- Whether judgements name it by its id, and not by its offset.
                ADD COLUMN is_named boolean NOT NULL DEFAULT false,
                -- location/ or floor/, and its id. Empty for rows of earlier releases, whose
                -- processes may still run beside newer ones; see `SurveyOverview`.
                ADD COLUMN ground text NOT NULL DEFAULT '';
            CREATE INDEX ON \(schema).surveys (site, ground);
            CREATE INDEX ON \(schema).surveys (site, device);
            CREATE TABLE \(schema).judged_surveys (
                survey uuid PRIMARY KEY,
                site text NOT NULL);
            CREATE TABLE \(schema).erasures (
                id uuid PRIMARY KEY,
                site text NOT NULL,
                device text NOT NULL,
                erased_until timestamptz NOT NULL,
                -- Whether any survey of the device was there.
                had_surveys boolean NOT NULL DEFAULT false,
                -- When no map had its surveys any more.
                done_at timestamptz);
            CREATE INDEX ON \(schema).erasures (site, device)
            """)
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        var faults: [SetAside] = []
        var run = SurveyRun()
        var reviews = SurveyReviews()
        var taps = TapRows()
        for record in records {
            let needsRun: Bool
            do throws(WireFault) {
                if try reviews.collect(record) { continue }
                if try taps.collect(record) { continue }
                needsRun = try run.add(record)
            } catch {
                faults.append(SetAside(record, error))
                continue
            }
            guard needsRun else { continue }
            try write(run, schema, connection)
            run = SurveyRun()
            _ = try run.add(record)
        }
        try reviews.write(schema, connection)
        try taps.write(schema, connection)
        if reviews.hasErasures { try TapRows.removeErased(schema, connection) }
        try write(run, schema, connection)
        return faults
    }

    /// Writes a run of surveys, or removes a run of them.
    private func write(
        _ run: SurveyRun, _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        try SurveyRows.remove(run.removed, schema, connection)
        let fresh = try insert(run.surveys, schema, connection)
        guard !fresh.isEmpty else { return }
        let heard = fresh.map { HeardSurvey(scan: $0.scan, readings: Heard.all($0.scan)) }
        try copyMeasurements(heard, schema, connection)
        try countAccessPoints(heard, schema, connection)
        try countSurveys(fresh, schema, connection)
    }

    /// Inserts surveys whose id is new, and returns them. The log may deliver a survey more than
    /// once.
    ///
    /// A row of an earlier release gets from its copy what it lacks, above all its place in the
    /// former topic, for erasing. Such a survey is not judged any more.
    private func insert(
        _ surveys: [ReadSurvey], _ schema: String,
        _ connection: isolated PostgresConnection
    ) throws -> [SurveyRecorded] {
        guard !surveys.isEmpty else { return [] }
        let rows = try connection.query(
            """
            WITH written AS (INSERT INTO \(schema).surveys AS known
                (id, site, device, at, event, author, received_at, log_partition, log_offset,
                    is_named, ground)
            SELECT id::uuid, site, device, at, event, author, received_at,
                nullif(log_partition, -1), nullif(log_offset, -1), log_offset = -1,
                ground
            FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bytea[],
                $6::text[], $7::timestamptz[], $8::int[], $9::bigint[], $10::text[])
                AS new (id, site, device, at, event, author, received_at, log_partition,
                    log_offset, ground)
            ON CONFLICT (id) DO UPDATE SET
                received_at = coalesce(known.received_at, excluded.received_at),
                author = coalesce(known.author, excluded.author),
                log_partition = excluded.log_partition, log_offset = excluded.log_offset
            WHERE known.log_offset IS NULL AND NOT known.is_named
            RETURNING id, site, xmax = 0 AS is_new),
            judged AS (INSERT INTO \(schema).judged_surveys (survey, site)
                SELECT id, site FROM written WHERE NOT is_new ON CONFLICT DO NOTHING)
            SELECT id FROM written WHERE is_new
            """,
            [
                .textArray(surveys.map(\.survey.scan.id.description)),
                .textArray(surveys.map(\.survey.scan.site.text)),
                .textArray(surveys.map(\.survey.scan.device.text)),
                .timestampArray(
                    microseconds: surveys.map(\.survey.scan.correctedAt.microseconds)),
                .bytesArray(surveys.map { $0.record.value ?? [] }),
                .textArray(surveys.map(\.survey.author)),
                .timestampArray(
                    microseconds: surveys.map(\.survey.scan.receivedAt.microseconds)),
                .int32Array(surveys.map { Int32(clamping: $0.former?.partition ?? -1) }),
                .int64Array(surveys.map { $0.former?.offset ?? -1 }),
                .textArray(surveys.map(\.survey.place.ground.text)),
            ])
        if rows.count == surveys.count { return surveys.map(\.survey) }
        let inserted = Set(
            try rows.compactMap { row -> EventID? in
                let id: [UInt8] = try row[0]
                return EventID(bytes: id)
            })
        return surveys.map(\.survey).filter { inserted.contains($0.scan.id) }
    }

    private func copyMeasurements(
        _ surveys: [HeardSurvey], _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        var names: [Transmitter: String] = [:]
        var rows: [(site: String, accessPoint: String, survey: [UInt8], Heard)] = []
        for survey in surveys {
            let id = survey.scan.id.bytes
            for heard in survey.readings {
                let name = names[heard.transmitter] ?? heard.transmitter.description
                names[heard.transmitter] = name
                rows.append((survey.scan.site.text, name, id, heard))
            }
        }
        try connection.copyIn(
            """
            COPY \(schema).measurements (site, access_point, survey, rssi, frequency) FROM STDIN
            """
        ) { [rows] buffer in
            for (site, accessPoint, survey, heard) in rows {
                try buffer.appendRow(
                    .text(site), .text(accessPoint), .uuid(survey),
                    .int32(Int32(clamping: heard.rssi)),
                    .optional(heard.frequency) { .int32(Int32(clamping: $0)) })
            }
            return false
        }
    }

    private func countAccessPoints(
        _ surveys: [HeardSurvey], _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        struct Key: Hashable {
            var site: SiteID
            var transmitter: Transmitter
        }
        struct Count {
            var name: String?
            var namedAt: Int64?
            var first: Int64
            var last: Int64
            var measurements: Int64
        }
        var counts: [Key: Count] = [:]
        for survey in surveys {
            let at = survey.scan.correctedAt.microseconds
            for heard in survey.readings {
                let key = Key(site: survey.scan.site, transmitter: heard.transmitter)
                var count = counts[key] ?? Count(name: nil, first: at, last: at, measurements: 0)
                if let name = heard.name,
                    (at, name) >= (count.namedAt ?? .min, count.name ?? "")
                {
                    (count.name, count.namedAt) = (name, at)
                }
                count.first = min(count.first, at)
                count.last = max(count.last, at)
                count.measurements += 1
                counts[key] = count
            }
        }
        // One order for all writers, so that two can't deadlock.
        let rows = counts.map { (site: $0.site.text, id: $0.transmitter.description, count: $1) }
            .sorted { ($0.site, $0.id) < ($1.site, $1.id) }
        try connection.query(
            """
            INSERT INTO \(schema).access_points AS known
                (site, id, name, named_at, first_heard, last_heard, measurements)
            SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[],
                $5::timestamptz[], $6::timestamptz[], $7::bigint[])
            ON CONFLICT (site, id) DO UPDATE SET
                (name, named_at) = (SELECT name, named_at FROM (VALUES
                    (known.name, known.named_at), (excluded.name, excluded.named_at))
                    AS named (name, named_at)
                    ORDER BY named_at DESC NULLS LAST, name COLLATE "C" DESC NULLS LAST
                    LIMIT 1),
                first_heard = least(known.first_heard, excluded.first_heard),
                last_heard = greatest(known.last_heard, excluded.last_heard),
                measurements = known.measurements + excluded.measurements
            """,
            [
                .textArray(rows.map(\.site)), .textArray(rows.map(\.id)),
                .textArray(rows.map(\.count.name)),
                .timestampArray(microseconds: rows.map(\.count.namedAt)),
                .timestampArray(microseconds: rows.map(\.count.first)),
                .timestampArray(microseconds: rows.map(\.count.last)),
                .int64Array(rows.map(\.count.measurements)),
            ])
    }

    private func countSurveys(
        _ surveys: [SurveyRecorded], _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        let counts = Dictionary(grouping: surveys, by: \.scan.site).sorted { $0.key < $1.key }
        try connection.query(
            """
            INSERT INTO \(schema).sites (site, surveys, changed_at)
            SELECT site, surveys, clock_timestamp()
            FROM unnest($1::text[], $2::bigint[]) AS new (site, surveys)
            ON CONFLICT (site) DO UPDATE SET surveys = sites.surveys + excluded.surveys,
                changed_at = excluded.changed_at
            """,
            [
                .textArray(counts.map(\.key.text)),
                .int64Array(counts.map { Int64($0.value.count) }),
            ])
    }
}
