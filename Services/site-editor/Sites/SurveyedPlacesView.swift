import EventLog
import Events
import LogViews
import Postgres
import Site
import Wire

/// The table `surveyed_places.places`: where surveys were made, and when the last one of each place
/// arrived. With it a review finds locations without surveys. Surveyors are not in it.
struct SurveyedPlacesView: View {
    let name = "surveyed-places"
    let schema = "surveyed_places"
    let topics = [Topic.surveys.name]

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
                """)
        ]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        var arrivals: [SurveyedRow: Timestamp] = [:]
        var faults: [SetAside] = []
        for record in records {
            do throws(WireFault) {
                let survey = try SurveyRecorded(record: record)
                let row = SurveyedRow(survey.scan.site, survey.place)
                let arrival = survey.scan.receivedAt
                arrivals[row] = max(arrivals[row] ?? arrival, arrival)
            } catch {
                faults.append(SetAside(record, error))
            }
        }
        // One order for all writers, so that two can't deadlock.
        let rows = arrivals.sorted { $0.key < $1.key }
        guard !rows.isEmpty else { return faults }
        try connection.query(
            """
            INSERT INTO \(schema).places AS known (site, form, id, x, y, arrived_at)
            SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[],
                $6::timestamptz[])
            ON CONFLICT (site, form, id, x, y) DO UPDATE
                SET arrived_at = greatest(known.arrived_at, excluded.arrived_at)
            """,
            [
                .textArray(rows.map(\.key.site)), .textArray(rows.map(\.key.form.rawValue)),
                .textArray(rows.map(\.key.id)), .doubleArray(rows.map(\.key.x)),
                .doubleArray(rows.map(\.key.y)),
                .timestampArray(microseconds: rows.map(\.value.microseconds)),
            ])
        return faults
    }

    func places(of site: SiteID, pool: PostgresPool) async throws -> [SurveyedPlace] {
        try await pool.query(
            "SELECT form, id, x, y, arrived_at FROM \(schema).places WHERE site = $1",
            [.text(site.text)]
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
private struct SurveyedRow: Hashable, Comparable {
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

    static func < (left: Self, right: Self) -> Bool {
        (left.site, left.form.rawValue, left.id, left.x, left.y)
            < (right.site, right.form.rawValue, right.id, right.x, right.y)
    }
}
