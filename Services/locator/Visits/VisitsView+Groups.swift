import Events
import LogViews
import Postgres
import Wire

/// The table `visits.group_visits`: every stay of a device in a group of beacons, even while it
/// lasts. Its columns have the names of the list's members.
extension VisitsView {
    static func groups(schema: String) -> Migrator.Step {
        Migrator.Step(
            "groups",
            """
            CREATE TABLE \(schema).group_visits (
                id uuid PRIMARY KEY,
                site text NOT NULL,
                device text NOT NULL,
                "group" text NOT NULL,
                floor text NOT NULL,
                entered timestamptz NOT NULL,
                "left" timestamptz,
                appended_at timestamptz NOT NULL);
            CREATE INDEX ON \(schema).group_visits (site, entered, id);
            CREATE INDEX ON \(schema).group_visits (site, device, entered);
            CREATE INDEX ON \(schema).group_visits (site, "group", entered);
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
                (id, site, device, "group", floor, entered, "left", appended_at)
            SELECT id::uuid, site, device, "group", floor, entered, "left", appended_at
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
                $6::timestamptz[], $7::timestamptz[], $8::timestamptz[])
                AS new (id, site, device, "group", floor, entered, "left", appended_at)
            ON CONFLICT (id) DO UPDATE SET "left" = excluded."left",
                appended_at = excluded.appended_at
            WHERE group_visits."left" IS NULL
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
        table: "visits.group_visits", parameter: "group", visited: #""group""#, place: "floor")

    /// The visit of a row with all columns of the table.
    init(_ row: PostgresRow) throws {
        let left: Int64? = try row["left"]
        self.init(
            visit: try PositionRow.identifier(row["id"]), site: SiteID(try row["site"]),
            device: DeviceID(try row["device"]), group: BeaconGroupID(try row["group"]),
            floor: FloorID(try row["floor"]),
            entered: Timestamp(microseconds: try row["entered"]),
            left: left.map { Timestamp(microseconds: $0) })
    }
}
