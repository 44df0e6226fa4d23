import Events
import LogViews
import Postgres
import Wire

/// The table `visits.group_visits`: every stay of a device in a group of beacons, even while it
/// lasts.
extension VisitsView {
    static func groups(schema: String) -> Migrator.Step {
        Migrator.Step(
            "groups",
            """
            CREATE TABLE \(schema).group_visits (
                id uuid PRIMARY KEY,
                site text NOT NULL,
                device text NOT NULL,
                group_id text NOT NULL,
                floor text NOT NULL,
                entered_at timestamptz NOT NULL,
                left_at timestamptz,
                appended_at timestamptz NOT NULL);
            CREATE INDEX ON \(schema).group_visits (site, entered_at, id);
            CREATE INDEX ON \(schema).group_visits (site, device, entered_at);
            CREATE INDEX ON \(schema).group_visits (site, group_id, entered_at);
            CREATE INDEX ON \(schema).group_visits (appended_at);
            \(AnalystGrants.script(["\(schema).group_visits"], topics: []))
            """)
    }

    func write(
        _ rows: [KnownGroupVisit], schema: String, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO \(schema).group_visits
                (id, site, device, group_id, floor, entered_at, left_at, appended_at)
            SELECT id::uuid, site, device, group_id, floor, entered_at, left_at, appended_at
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
                $6::timestamptz[], $7::timestamptz[], $8::timestamptz[])
                AS new (id, site, device, group_id, floor, entered_at, left_at, appended_at)
            ON CONFLICT (id) DO UPDATE SET left_at = excluded.left_at,
                appended_at = excluded.appended_at
            WHERE group_visits.left_at IS NULL
            """,
            [
                .textArray(rows.map(\.visit.description)), .textArray(rows.map(\.site.text)),
                .textArray(rows.map(\.device.text)), .textArray(rows.map(\.group.text)),
                .textArray(rows.map(\.floor.text)),
                .timestampArray(microseconds: rows.map(\.entered.microseconds)),
                .timestampArray(microseconds: rows.map { $0.left?.microseconds }),
                .timestampArray(microseconds: rows.map(\.appendedAtMicroseconds)),
            ])
    }
}

extension KnownGroupVisit: TabledVisit {
    static let columns = VisitColumns(
        table: "visits.group_visits", parameter: "group", visited: "group_id", place: "floor",
        entered: "entered_at", left: "left_at")

    /// The visit of a row with all columns of the table.
    init(_ row: PostgresRow) throws {
        let left: Int64? = try row["left_at"]
        self.init(
            visit: try PositionRow.identifier(row["id"]), site: SiteID(try row["site"]),
            device: DeviceID(try row["device"]), group: BeaconGroupID(try row["group_id"]),
            floor: FloorID(try row["floor"]),
            entered: Timestamp(microseconds: try row["entered_at"]),
            left: left.map { Timestamp(microseconds: $0) })
    }
}
