import EventLog
import Events
import LogViews
import Postgres
import Site
import Wire

/// The table `surveyed_places.surveys`: where each survey was made, and when it arrived. With it a
/// review finds locations without surveys. Surveyors are not in it.
struct SurveyedPlacesView: View {
    let name = "surveyed-places"
    let schema = "surveyed_places"
    let topics = [Topic.surveyRecords.name]

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step(
                "places",
                """
                CREATE TABLE \(schema).places (
                    site text NOT NULL,
                    -- location, metres or wgs84
                    form text NOT NULL,
                    -- of the location, else of the floor
                    id text NOT NULL,
                    x double precision NOT NULL,
                    y double precision NOT NULL,
                    arrived_at timestamptz NOT NULL,
                    PRIMARY KEY (site, form, id, x, y))
                """),
            // A withdrawn survey is named by its id alone, so every survey needs its own row. The
            // former table stays for processes of earlier releases.
            Migrator.Step(
                "surveys",
                """
                CREATE TABLE \(schema).surveys (
                    survey uuid PRIMARY KEY,
                    site text NOT NULL,
                    form text NOT NULL,
                    id text NOT NULL,
                    x double precision NOT NULL,
                    y double precision NOT NULL,
                    arrived_at timestamptz NOT NULL);
                CREATE INDEX ON \(schema).surveys (site)
                """),
        ]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        // The newest record of each survey; nil removes it.
        var rows: [EventID: (row: SurveyedRow, arrival: Timestamp)?] = [:]
        var faults: [SetAside] = []
        for record in records {
            do throws(WireFault) {
                if record.value == nil {
                    guard let key = record.key.flatMap(SurveyKey.init(recordKey:)) else {
                        throw WireFault(.valueMissing, "the record has no value")
                    }
                    rows[key.survey] = .some(nil)
                    continue
                }
                let survey = try SurveyRecorded(record: record)
                rows[survey.scan.id] = (
                    SurveyedRow(survey.scan.site, survey.place), survey.scan.receivedAt
                )
            } catch {
                faults.append(SetAside(record, error))
            }
        }
        // One order for all writers, so that two can't deadlock.
        let sorted = rows.sorted { $0.key < $1.key }
        try write(sorted.compactMap { id, row in row.map { (id, $0) } }, schema, connection)
        let gone = sorted.filter { $0.value == nil }.map(\.key.description)
        if !gone.isEmpty {
            try connection.query(
                "DELETE FROM \(schema).surveys WHERE survey = ANY ($1::text[]::uuid[])",
                [.textArray(gone)])
        }
        return faults
    }

    private func write(
        _ surveys: [(id: EventID, value: (row: SurveyedRow, arrival: Timestamp))],
        _ schema: String, _ connection: isolated PostgresConnection
    ) throws {
        guard !surveys.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO \(schema).surveys (survey, site, form, id, x, y, arrived_at)
            SELECT survey::uuid, site, form, id, x, y, arrived_at
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[],
                $6::float8[], $7::timestamptz[])
                AS new (survey, site, form, id, x, y, arrived_at)
            ON CONFLICT (survey) DO NOTHING
            """,
            [
                .textArray(surveys.map(\.id.description)),
                .textArray(surveys.map(\.value.row.site)),
                .textArray(surveys.map(\.value.row.form.rawValue)),
                .textArray(surveys.map(\.value.row.id)),
                .doubleArray(surveys.map(\.value.row.x)),
                .doubleArray(surveys.map(\.value.row.y)),
                .timestampArray(microseconds: surveys.map(\.value.arrival.microseconds)),
            ])
    }

    func places(of site: SiteID, pool: PostgresPool) async throws -> [SurveyedPlace] {
        try await pool.query(
            """
            SELECT form, id, x, y, max(arrived_at) AS arrived_at FROM \(schema).surveys
            WHERE site = $1 GROUP BY form, id, x, y
            """, [.text(site.text)]
        ).compactMap { row in
            let form = SurveyedRow.Form(rawValue: try row["form"])
            let id: String = try row["id"]
            let (x, y): (Double, Double) = (try row["x"], try row["y"])
            let arrival = Timestamp(microseconds: try row["arrived_at"])
            return form.map { SurveyedPlace($0.place(id, x, y), lastArrival: arrival) }
        }
    }
}

/// A place of surveys as a row. Coordinates are rounded to about a decimetre, so that a walk with a
/// phone in the hand does not fill the table.
private struct SurveyedRow: Hashable {
    enum Form: String {
        case location, metres, wgs84

        func place(_ id: String, _ x: Double, _ y: Double) -> SurveyPlace {
            switch self {
            case .location: .location(LocationID(id))
            case .metres: .metres(floor: FloorID(id), x: x, y: y)
            case .wgs84: .geographic(floor: FloorID(id), latitude: x, longitude: y)
            }
        }
    }

    let site: String
    let form: Form
    let id: String
    /// Metres, or the latitude.
    var x = 0.0
    /// Metres, or the longitude.
    var y = 0.0

    init(_ site: SiteID, _ place: SurveyPlace) {
        self.site = site.text
        switch place {
        case .location(let location):
            form = .location
            id = location.text
        case .metres(let floor, let x, let y):
            form = .metres
            id = floor.text
            self.x = (x * 10).rounded() / 10
            self.y = (y * 10).rounded() / 10
        case .geographic(let floor, let latitude, let longitude):
            form = .wgs84
            id = floor.text
            x = (latitude * 1e6).rounded() / 1e6
            y = (longitude * 1e6).rounded() / 1e6
        }
    }
}
