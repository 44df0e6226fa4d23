import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Wire

/// The table `visits.visits`: every stay of a device in a zone, even while it lasts. The table
/// `visits.group_visits` has those in groups of beacons.
struct VisitsView: View {
    let name = "visits-view"
    let schema = "visits"
    let topics = [Topic.visits.name]
    /// Days for which visits are kept; the same as for the topic.
    let daysKept: Int64

    init(daysKept: Int64) { self.daysKept = daysKept }

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step(
                "visits",
                """
                CREATE TABLE \(schema).visits (
                    id uuid PRIMARY KEY,
                    site text NOT NULL,
                    device text NOT NULL,
                    kind text NOT NULL,
                    zone text NOT NULL,
                    entered timestamptz NOT NULL,
                    "left" timestamptz,
                    confidence double precision NOT NULL,
                    reason text);
                CREATE INDEX ON \(schema).visits (site, entered, id);
                CREATE INDEX ON \(schema).visits (site, device, entered);
                CREATE INDEX ON \(schema).visits (site, zone, entered);
                CREATE INDEX ON \(schema).visits (entered);
                """),
            Migrator.Step(
                "retention",
                """
                ALTER TABLE \(schema).visits
                    ADD COLUMN appended_at timestamptz NOT NULL DEFAULT now();
                UPDATE \(schema).visits
                SET appended_at = least(now(), coalesce("left", entered));
                CREATE INDEX ON \(schema).visits (appended_at);
                \(ViewRetention.table(schema: schema))
                """),
            // The column is not called `left`, because SQL reserves that word and it would need
            // quotes.
            Migrator.Step(
                "stays",
                """
                CREATE VIEW \(schema).stays AS
                SELECT id, site, device, kind, zone, entered AS entered_at, "left" AS left_at,
                    confidence, reason
                FROM \(schema).visits
                """),
            Migrator.Step(
                "analysts",
                AnalystGrants.script(["\(schema).visits", "\(schema).stays"], topics: topics)),
            Migrator.Step("erasures", Erasures.table(schema: schema)),
            Erasures.turns(schema: schema), Self.groups(schema: schema),
        ]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        // The end of a visit replaces its beginning, because a statement may contain each row only
        // once.
        var rows: [EventID: KnownVisit] = [:]
        var groups: [EventID: KnownGroupVisit] = [:]
        var faults: [SetAside] = []
        var erased: [(event: DeviceErased, hadRows: Bool)] = []
        for record in records {
            do throws(WireFault) {
                if DeviceErased.isIn(record) {
                    let event = try DeviceErased(record: record)
                    let count = rows.count + groups.count
                    rows = rows.filter { ($1.site, $1.device) != (event.site, event.device) }
                    groups = groups.filter {
                        ($1.site, $1.device) != (event.site, event.device)
                    }
                    erased.append((event, rows.count + groups.count < count))
                    continue
                }
                if KnownGroupVisit.isIn(record) {
                    let row = try KnownGroupVisit(record)
                    if groups[row.visit]?.left == nil { groups[row.visit] = row }
                    continue
                }
                let row = try KnownVisit(record)
                if rows[row.visit]?.left == nil { rows[row.visit] = row }
            } catch {
                faults.append(SetAside(record, error))
            }
        }
        for (event, hadRows) in erased {
            try Erasures.note(
                event, deletingFrom: ["visits", "group_visits"], hadRows: hadRows,
                schema: schema, connection: connection)
        }
        if !rows.isEmpty {
            try write(
                rows.values.sorted { $0.visit < $1.visit }, schema: schema, connection: connection)
        }
        if !groups.isEmpty {
            try write(
                groups.values.sorted { $0.visit < $1.visit }, schema: schema,
                connection: connection)
        }
        return faults
    }

    /// Drops rows that are past the retention, even when no new rows come.
    /// - Returns: false when a reader prevents it.
    func sweep(_ pool: PostgresPool, now: Timestamp) async throws -> Bool {
        let schema = schema
        return try await ViewRetention(schema: schema, daysKept: daysKept).sweep(pool, now: now) {
            allowance, connection in
            let (visits, groups) = (
                try ViewRetention.deleteOldest(from: "\(schema).visits", allowance, connection),
                try ViewRetention.deleteOldest(
                    from: "\(schema).group_visits", allowance, connection)
            )
            return visits || groups
        }
    }

    private func write(
        _ rows: [KnownVisit], schema: String, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            """
            INSERT INTO \(schema).visits
                (id, site, device, kind, zone, entered, "left", confidence, reason, appended_at)
            SELECT id::uuid, site, device, kind, zone, entered, "left", confidence, reason,
                appended_at
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
                $6::timestamptz[], $7::timestamptz[], $8::float8[], $9::text[],
                $10::timestamptz[])
                AS new (id, site, device, kind, zone, entered, "left", confidence, reason,
                    appended_at)
            ON CONFLICT (id) DO UPDATE SET "left" = excluded."left",
                confidence = excluded.confidence, reason = excluded.reason,
                appended_at = excluded.appended_at
            WHERE visits."left" IS NULL
            """,
            [
                .textArray(rows.map(\.visit.description)), .textArray(rows.map(\.site.text)),
                .textArray(rows.map(\.device.text)),
                .textArray(rows.map(\.zone.kind.rawValue)), .textArray(rows.map(\.zone.id.text)),
                .timestampArray(microseconds: rows.map(\.entered.microseconds)),
                .timestampArray(microseconds: rows.map { $0.left?.microseconds }),
                .doubleArray(rows.map(\.confidence)), .textArray(rows.map { $0.reason?.rawValue }),
                .timestampArray(microseconds: rows.map(\.appendedAtMicroseconds)),
            ])
    }
}

extension KnownVisit: TabledVisit {
    static let columns = VisitColumns(
        table: "visits.visits", parameter: "zone", visited: "zone", place: "zone")

    /// The visit of a row with all columns of the table.
    init(_ row: PostgresRow) throws {
        let kind: String = try row["kind"]
        let reason: String? = try row["reason"]
        let left: Int64? = try row["left"]
        self.init(
            visit: try PositionRow.identifier(row["id"]), site: SiteID(try row["site"]),
            device: DeviceID(try row["device"]),
            zone: Zone(ZoneKind(rawValue: kind) ?? .room, ZoneID(try row["zone"])),
            entered: Timestamp(microseconds: try row["entered"]),
            left: left.map { Timestamp(microseconds: $0) }, confidence: try row["confidence"],
            reason: reason.flatMap(VisitEnded.Reason.init))
    }
}
