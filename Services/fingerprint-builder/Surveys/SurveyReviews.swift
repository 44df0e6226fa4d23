import EventLog
import Events
import LogViews
import Postgres
import Wire

/// The events about surveys besides the surveys themselves: kept aside, decided, withdrawn, judged,
/// and made by a device that was erased. They stand in other topics, so they may come in any order.
struct SurveyReviews {
    private var judged: [SurveysJudged] = []
    private var keptAside: [SurveyKeptAside] = []
    private var decided: [SurveyDecided] = []
    private var withdrawn: [SurveysWithdrawn] = []
    private var erased: [DeviceErased] = []

    var hasErasures: Bool { !erased.isEmpty }

    static func migration(schema: String) -> Migrator.Step {
        Migrator.Step(
            "reviews",
            """
            ALTER TABLE \(schema).surveys
                ADD COLUMN author text,
                ADD COLUMN received_at timestamptz,
                -- Absent for surveys from before this: they are not judged any more.
                ADD COLUMN log_partition integer,
                ADD COLUMN log_offset bigint;
            CREATE INDEX ON \(schema).surveys (site, author);
            ALTER TABLE \(schema).sites ADD COLUMN reviews bigint NOT NULL DEFAULT 0;
            CREATE TABLE \(schema).kept_aside (
                survey uuid PRIMARY KEY,
                site text NOT NULL,
                event bytea NOT NULL);
            CREATE INDEX ON \(schema).kept_aside (site, survey);
            CREATE TABLE \(schema).decisions (
                survey uuid PRIMARY KEY,
                site text NOT NULL,
                accepted boolean NOT NULL,
                decided_by text NOT NULL,
                decided_at timestamptz NOT NULL);
            CREATE INDEX ON \(schema).decisions (site);
            CREATE TABLE \(schema).withdrawn_surveys (
                survey uuid PRIMARY KEY,
                site text NOT NULL);
            CREATE INDEX ON \(schema).withdrawn_surveys (site);
            CREATE TABLE \(schema).withdrawn_authors (
                site text NOT NULL,
                author text NOT NULL,
                before timestamptz NOT NULL,
                PRIMARY KEY (site, author));
            CREATE TABLE \(schema).judged (
                site text NOT NULL,
                log_partition integer NOT NULL,
                next_offset bigint NOT NULL,
                PRIMARY KEY (site, log_partition))
            """)
    }

    /// Collects the record if it belongs to these topics; throws where it does and can't be read.
    mutating func collect(_ record: StoredRecord) throws(WireFault) -> Bool {
        if record.topic == Topic.erasures.name {
            if record.value != nil { erased.append(try DeviceErased(record: record)) }
            return true
        }
        guard record.topic == Topic.surveyReviews.name else { return false }
        switch try EventType(name: record.headers["ce_type"] ?? "") {
        case .surveysJudged: judged.append(try SurveysJudged(record: record))
        case .surveyKeptAside: keptAside.append(try SurveyKeptAside(record: record))
        case .surveyDecided: decided.append(try SurveyDecided(record: record))
        case .surveysWithdrawn: withdrawn.append(try SurveysWithdrawn(record: record))
        default:
            throw WireFault(.typeUnknown, path: "ce_type", "this topic holds no such event")
        }
        return true
    }

    func write(_ schema: String, _ connection: isolated PostgresConnection) throws {
        for event in judged { try write(event, schema, connection) }
        for event in keptAside {
            try connection.query(
                """
                INSERT INTO \(schema).kept_aside (survey, site, event) VALUES ($1, $2, $3)
                ON CONFLICT (survey) DO NOTHING
                """, [.uuid(event.survey.bytes), .text(event.site.text), .bytes(event.json)])
        }
        for event in decided {
            try connection.query(
                """
                INSERT INTO \(schema).decisions AS known
                    (survey, site, accepted, decided_by, decided_at) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (survey) DO UPDATE SET accepted = excluded.accepted,
                    decided_by = excluded.decided_by, decided_at = excluded.decided_at
                WHERE known.decided_at <= excluded.decided_at
                """,
                [
                    .uuid(event.survey.bytes), .text(event.site.text), .bool(event.isAccepted),
                    .text(event.by), .timestamp(microseconds: event.at.microseconds),
                ])
        }
        for event in withdrawn { try write(event, schema, connection) }
        for event in erased {
            try connection.query(
                """
                INSERT INTO \(schema).erasures (id, site, device, erased_until)
                VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING
                """,
                [
                    .uuid(event.id.bytes), .text(event.site.text), .text(event.device.text),
                    .timestamp(microseconds: event.at.microseconds),
                ])
        }
        // The counts make the builder build the map again. Every event counts once, so the number
        // does not depend on the batches.
        let changes = decided.map(\.site) + withdrawn.map(\.site) + erased.map(\.site)
        let counts = Dictionary(changes.map { ($0.text, 1) }, uniquingKeysWith: +)
        for (site, count) in counts.sorted(by: { $0.key < $1.key }) {
            try connection.query(
                """
                INSERT INTO \(schema).sites AS known (site, surveys, changed_at, reviews)
                VALUES ($1, 0, clock_timestamp(), $2)
                ON CONFLICT (site) DO UPDATE SET changed_at = excluded.changed_at,
                    reviews = known.reviews + excluded.reviews
                """, [.text(site), .int(count)])
        }
    }

    private func write(
        _ event: SurveysJudged, _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO \(schema).judged AS known (site, log_partition, next_offset)
            SELECT $1, place - 1, next FROM unnest($2::bigint[]) WITH ORDINALITY \
            AS new (next, place)
            ON CONFLICT (site, log_partition) DO UPDATE
                SET next_offset = greatest(known.next_offset, excluded.next_offset)
            """, [.text(event.site.text), .int64Array(event.surveyOffsets)])
        try connection.query(
            """
            INSERT INTO \(schema).judged_surveys (survey, site)
            SELECT id::uuid, $1 FROM unnest($2::text[]) AS new (id) ON CONFLICT DO NOTHING
            """, [.text(event.site.text), .textArray(event.surveys.map(\.description))])
    }

    private func write(
        _ event: SurveysWithdrawn, _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        switch event.which {
        case .survey(let id):
            try connection.query(
                """
                INSERT INTO \(schema).withdrawn_surveys (survey, site) VALUES ($1, $2)
                ON CONFLICT (survey) DO NOTHING
                """, [.uuid(id.bytes), .text(event.site.text)])
        case .author(let author):
            try connection.query(
                """
                INSERT INTO \(schema).withdrawn_authors AS known (site, author, before)
                VALUES ($1, $2, $3)
                ON CONFLICT (site, author) DO UPDATE
                    SET before = greatest(known.before, excluded.before)
                """,
                [
                    .text(event.site.text), .text(author),
                    .timestamp(microseconds: event.at.microseconds),
                ])
        }
    }
}
