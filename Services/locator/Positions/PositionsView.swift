import EventLog
import Events
import LogViews
import Postgres
import ServiceHost
import Wire

/// The views `locator.positions` (every position) and `locator.room_hours` (counts by room and
/// hour), and the table `locator.latest_positions` (the newest of each device).
///
/// A second one in the schema `smoothed` has the smoothed positions. There the counts and the table
/// of the newest stay empty.
struct PositionsView: View {
    static let standardSchema = "locator"
    let name: String
    let schema: String
    let topics: [String]
    /// Whether rooms are counted and the newest of each device is kept.
    private let isCounting: Bool
    /// Days for which positions are kept; the same as for the topic.
    let daysKept: Int64
    private let names = PositionNames()

    /// - Parameter topic: `positions`, or `positions-smoothed`.
    init(daysKept: Int64, of topic: Topic = .positions) {
        self.daysKept = daysKept
        isCounting = topic == .positions
        name = isCounting ? "locator-views" : "locator-smoothed"
        schema = isCounting ? Self.standardSchema : "smoothed"
        topics = [topic.name]
    }

    func migrations(schema: String) -> [Migrator.Step] {
        [
            Migrator.Step("positions", Self.formerTables(schema: schema)),
            Migrator.Step("motion", "ALTER TABLE \(schema).positions ADD COLUMN motion text"),
            Migrator.Step(
                "choices", "ALTER TABLE \(schema).positions ADD COLUMN choice_version bigint"),
            Migrator.Step("retention", Self.retentionTables(schema: schema)),
            Migrator.Step(
                "lost-because", "ALTER TABLE \(schema).positions ADD COLUMN lost_because text"),
            Migrator.Step(
                "analysts",
                AnalystGrants.script(
                    ["\(schema).positions", "\(schema).latest_positions"], topics: topics)),
            Migrator.Step("erasures", Erasures.table(schema: schema)),
        ] + PositionTables.steps(schema: schema) + [Erasures.turns(schema: schema)]
    }

    /// The tables of the first version. `PositionTables` replaces that of positions.
    private static func formerTables(schema: String) -> String {
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
        """
    }

    func apply(
        _ records: [StoredRecord], schema: String, connection: isolated PostgresConnection
    ) async throws -> [SetAside] {
        var positions: [PositionEstimated] = []
        positions.reserveCapacity(records.count)
        var appended: [Int64] = []
        appended.reserveCapacity(records.count)
        var faults: [SetAside] = []
        var erased: [(event: DeviceErased, hadRows: Bool)] = []
        for record in records {
            do throws(WireFault) {
                if DeviceErased.isIn(record) {
                    let event = try DeviceErased(record: record)
                    let kept = positions.indices.filter {
                        (positions[$0].site, positions[$0].device) != (event.site, event.device)
                    }
                    erased.append((event, kept.count < positions.count))
                    (positions, appended) = (kept.map { positions[$0] }, kept.map { appended[$0] })
                    continue
                }
                positions.append(try PositionEstimated(record: record))
                appended.append(record.appendedAtMicroseconds)
            } catch {
                faults.append(SetAside(record, error))
            }
        }
        for (event, hadRows) in erased {
            let gone = try erase(
                event.device, of: event.site, schema: schema, connection: connection)
            try Erasures.note(
                event, deletingFrom: [], hadRows: hadRows || gone > 0, schema: schema,
                connection: connection)
        }
        guard !positions.isEmpty else { return faults }
        try write(
            positions, appended, schema: schema, connection: connection,
            updatingLatest: isCounting)
        return faults
    }

    func ended(schema: String, committed: Bool) { names.ended(schema, committed: committed) }

    /// - Parameter updatingLatest: false only for measurements of the rows alone.
    func write(
        _ positions: [PositionEstimated], _ appended: [Int64], schema: String,
        connection: isolated PostgresConnection, updatingLatest: Bool
    ) throws {
        let batch = PositionBatch(positions)
        try makeDays(
            Dictionary(zip(positions.map { $0.locatedAt.day }, appended), uniquingKeysWith: max),
            wide: Set(batch.odd.map { $0.locatedAt.day }), schema: schema, connection: connection)
        // The days' tables are locked from here on, so a rebuild can't swap them meanwhile.
        var known = names.borrowed(schema)
        let row = try connection.pipeline([
            NamesGeneration.statement(schema: schema, alsoTransaction: true)
        ])[0][0]
        known.begin(try NamesGeneration(row), transaction: try row["transaction"])
        try known.complete(
            positions, places: batch.places, schema: schema, connection: connection)
        try batch.copy(known, schema: schema, connection: connection)
        if updatingLatest {
            try updateLatest(
                Array(zip(positions, appended)), schema: schema, connection: connection)
        }
        if isCounting {
            var hours = RoomHours()
            for position in positions { hours.add(position, &known) }
            try hours.write(schema: schema, connection: connection)
        }
        names.putBack(known, schema)
    }

    private func updateLatest(
        _ positions: [(PositionEstimated, appendedAt: Int64)], schema: String,
        connection: isolated PostgresConnection
    ) throws {
        var newest: [DeviceKey: (PositionEstimated, appendedAt: Int64)] = [:]
        // The greater id counts between two positions with the same time, whichever came first.
        for (position, appendedAt) in positions where !position.late {
            let key = DeviceKey(position.site, position.device)
            if let known = newest[key]?.0, (known.at, known.id) > (position.at, position.id) {
                continue
            }
            newest[key] = (position, appendedAt)
        }
        // One order for all writers, so that two can't deadlock.
        let sorted = newest.sorted { $0.key < $1.key }.map(\.value)
        let rows = sorted.map(\.0)
        guard !rows.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO \(schema).latest_positions
                (site, device, at, position_id, floor, room, state, event, appended_at)
            SELECT site, device, at, id::uuid, floor, room, state, event::jsonb, appended_at
            FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[],
                $6::text[], $7::text[], $8::text[], $9::timestamptz[])
                AS new (site, device, at, id, floor, room, state, event, appended_at)
            ON CONFLICT (site, device) DO UPDATE SET at = excluded.at,
                position_id = excluded.position_id, floor = excluded.floor, room = excluded.room,
                state = excluded.state, event = excluded.event, appended_at = excluded.appended_at
            WHERE (latest_positions.at, latest_positions.position_id)
                <= (excluded.at, excluded.position_id)
            """,
            [
                .textArray(rows.map(\.site.text)), .textArray(rows.map(\.device.text)),
                .timestampArray(microseconds: rows.map(\.at.microseconds)),
                .textArray(rows.map(\.id.description)), .textArray(rows.map { $0.floor?.text }),
                .textArray(rows.map { $0.room?.text }), .textArray(rows.map(\.state.rawValue)),
                .textArray(rows.map { String(decoding: $0.json, as: UTF8.self) }),
                .timestampArray(microseconds: sorted.map(\.appendedAt)),
            ])
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
