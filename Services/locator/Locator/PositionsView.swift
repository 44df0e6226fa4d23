import EventLog
import Events
import JSON
import LogViews
import Postgres
import ServiceHost
import Synchronization
import Wire

/// `locator.positions` (every position, a table for each day on which they were located) and
/// `locator.latest_positions` (the newest of each device).
struct PositionsView: View {
    static let standardSchema = "locator"
    let name = "locator-views"
    let schema = Self.standardSchema
    let topics = [Topic.positions.name]
    let host: Host
    /// Days of positions that the table keeps: as many as the topic.
    let daysKept: Int64

    init(host: Host) {
        self.host = host
        daysKept = host.retentionDays(of: .positions)
    }

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step(
                "positions",
                """
                CREATE TABLE \(schema).positions (
                    id uuid NOT NULL,
                    scan_id uuid NOT NULL,
                    at timestamptz NOT NULL,
                    located_at timestamptz NOT NULL,
                    device text NOT NULL,
                    site text NOT NULL,
                    site_version bigint NOT NULL,
                    building text,
                    floor text,
                    room text,
                    rooms jsonb NOT NULL,
                    x double precision,
                    y double precision,
                    latitude double precision,
                    longitude double precision,
                    covariance double precision[],
                    radius68 double precision,
                    radius95 double precision,
                    state text NOT NULL,
                    late boolean NOT NULL,
                    positioner text NOT NULL,
                    radio_map_version bigint
                ) PARTITION BY RANGE (located_at);
                CREATE INDEX ON \(schema).positions (id);
                CREATE INDEX ON \(schema).positions (site, at, id);
                CREATE INDEX ON \(schema).positions (site, device, at);
                CREATE TABLE \(schema).latest_positions (
                    site text NOT NULL,
                    device text NOT NULL,
                    at timestamptz NOT NULL,
                    position_id uuid NOT NULL,
                    floor text,
                    room text,
                    state text NOT NULL,
                    event jsonb NOT NULL,
                    PRIMARY KEY (site, device));
                """),
            Migrator.Step("motion", "ALTER TABLE \(schema).positions ADD COLUMN motion text"),
            Migrator.Step(
                "choices", "ALTER TABLE \(schema).positions ADD COLUMN choice_version bigint"),
        ]
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [LogRecord] {
        var positions: [PositionEstimated] = []
        positions.reserveCapacity(records.count)
        var faults: [LogRecord] = []
        for record in records {
            do throws(WireFault) {
                positions.append(try PositionEstimated(record: record))
            } catch {
                faults.append(
                    host.deadLetter(
                        record, code: error.code.rawValue, detail: error.detail,
                        source: Locating.source))
            }
        }
        guard !positions.isEmpty else { return faults }
        for day in Set(positions.map { $0.locatedAt.day }).sorted() {
            try makePartition(day, schema: schema, connection: connection)
        }
        try copy(positions, schema: schema, connection: connection)
        try updateLatest(positions, schema: schema, connection: connection)
        return faults
    }

    private func copy(
        _ positions: [PositionEstimated], schema: String, connection: isolated PostgresConnection
    ) throws {
        let columns = PositionRow.columns.joined(separator: ", ")
        try connection.copyIn("COPY \(schema).positions (\(columns)) FROM STDIN") { buffer in
            for position in positions { PositionRow.append(position, to: &buffer) }
            return false
        }
    }

    private func updateLatest(
        _ positions: [PositionEstimated], schema: String, connection: isolated PostgresConnection
    ) throws {
        var newest: [String: PositionEstimated] = [:]
        for position in positions where !position.late {
            let key = "\(position.site.text)/\(position.device.text)"
            if let known = newest[key], known.at > position.at { continue }
            newest[key] = position
        }
        // In one order, so that two writers of other partitions can't wait for each other.
        let rows = newest.sorted { $0.key < $1.key }.map(\.value)
        guard !rows.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO \(schema).latest_positions
                (site, device, at, position_id, floor, room, state, event)
            SELECT site, device, at, id::uuid, floor, room, state, event::jsonb
            FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[],
                $6::text[], $7::text[], $8::text[])
                AS new (site, device, at, id, floor, room, state, event)
            ON CONFLICT (site, device) DO UPDATE SET at = excluded.at,
                position_id = excluded.position_id, floor = excluded.floor, room = excluded.room,
                state = excluded.state, event = excluded.event
            WHERE latest_positions.at <= excluded.at
            """,
            [
                .textArray(rows.map(\.site.text)), .textArray(rows.map(\.device.text)),
                .timestampArray(microseconds: rows.map(\.at.microseconds)),
                .textArray(rows.map(\.id.description)), .textArray(rows.map { $0.floor?.text }),
                .textArray(rows.map { $0.room?.text }), .textArray(rows.map(\.state.rawValue)),
                .textArray(rows.map { String(decoding: $0.json, as: UTF8.self) }),
            ])
    }

    private func makePartition(
        _ day: Int64, schema: String, connection: isolated PostgresConnection
    ) throws {
        let first = Timestamp.start(ofDay: day)
        let next = Timestamp.start(ofDay: day + 1)
        let name = Self.partitionName(day)
        let rows = try connection.query(
            "SELECT to_regclass($1) IS NOT NULL AS there", [.text("\(schema).\(name)")])
        if let row = rows.first, try row["there"] { return }
        // Members come to a new day together; who waits here finds the table made.
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [.text("\(schema).positions")])
        try dropPartitions(before: day - daysKept, schema: schema, connection: connection)
        try connection.execute(
            script: """
                CREATE TABLE IF NOT EXISTS \(schema).\(name) PARTITION OF \(schema).positions
                FOR VALUES FROM ('\(RFC3339.text(microseconds: first.microseconds))')
                TO ('\(RFC3339.text(microseconds: next.microseconds))')
                """)
    }
}

extension PositionsView {
    /// Such as `positions_2026_11_21`, so that the order of names is the order of days.
    private static func partitionName(_ day: Int64) -> String {
        let date = RFC3339.text(microseconds: Timestamp.start(ofDay: day).microseconds).prefix(10)
        return "positions_" + date.replacing("-", with: "_")
    }

    /// A new day is when old ones are dropped.
    private func dropPartitions(
        before day: Int64, schema: String, connection: isolated PostgresConnection
    ) throws {
        let rows = try connection.query(
            """
            SELECT child.relname::text AS name FROM pg_inherits
            JOIN pg_class child ON child.oid = inhrelid
            WHERE inhparent = to_regclass($1) AND child.relname < $2
            """, [.text("\(schema).positions"), .text(Self.partitionName(day))])
        for row in rows {
            let name: String = try row["name"]
            try connection.execute(script: "DROP TABLE \(schema).\(name)")
        }
    }
}

extension Timestamp {
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    /// Days of UTC since 1970-01-01.
    var day: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(
            dividingBy: Self.microsecondsPerDay)
        return remainder < 0 ? quotient - 1 : quotient
    }

    static func start(ofDay day: Int64) -> Timestamp {
        Timestamp(microseconds: day * microsecondsPerDay)
    }
}
