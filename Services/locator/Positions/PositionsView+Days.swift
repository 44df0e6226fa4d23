import Events
import LogViews
import Postgres
import Wire

/// The tables of days. `locator.position_days` has the time at which the log received the newest
/// record of each day.
extension PositionsView {
    /// The least time by which a record must be newer before the day's row is written again. It
    /// keeps projectors from waiting for each other, and is added to the retention.
    private static let freshnessMicroseconds: Int64 = 3_600_000_000

    static func retentionTables(schema: String) -> String {
        """
        CREATE TABLE \(schema).position_days (
            day date PRIMARY KEY,
            newest_appended timestamptz NOT NULL);
        INSERT INTO \(schema).position_days
        SELECT day, least(now(), (day + 1)::timestamp AT TIME ZONE 'UTC')
        FROM (SELECT to_date(right(child.relname, 10), 'YYYY_MM_DD') AS day
            FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
            WHERE inhparent = '\(schema).positions'::regclass) known;
        ALTER TABLE \(schema).latest_positions
            ADD COLUMN appended_at timestamptz NOT NULL DEFAULT now();
        UPDATE \(schema).latest_positions SET appended_at = least(now(), at);
        CREATE INDEX ON \(schema).latest_positions (appended_at);
        \(ViewRetention.table(schema: schema))
        """
    }

    /// Makes the tables of new days, and notes the newest record of each day.
    ///
    /// - Parameter wide: the days with positions that the wide table takes.
    func makeDays(
        _ newest: [Int64: Int64], wide: Set<Int64>, schema: String,
        connection: isolated PostgresConnection
    ) throws {
        // The lock keeps days from being dropped until the commit. The statements are separate,
        // since each sees only rows that were committed before it began.
        try connection.query(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))",
            [.text(Self.droppingLock(schema))])
        for (day, appended) in newest.sorted(by: { $0.key < $1.key }) {
            let row = try connection.query(
                """
                SELECT to_regclass($3) IS NULL AS lacks_rows,
                    $5 AND to_regclass($4) IS NULL AS lacks_wide, EXISTS (
                        SELECT FROM \(schema).position_days
                        WHERE day = '1970-01-01'::date + $1::int AND newest_appended >= $2) AS fresh
                """,
                [
                    .int64(day), .timestamp(microseconds: appended - Self.freshnessMicroseconds),
                    .text("\(schema).\(Self.tableName(day))"),
                    .text("\(schema).\(Self.wideTableName(day))"), .bool(wide.contains(day)),
                ])[0]
            if try row["lacks_rows"] {
                try makeTable(
                    Self.tableName(day), of: "position_rows", day, schema: schema,
                    connection: connection)
            }
            if try row["lacks_wide"] {
                try makeTable(
                    Self.wideTableName(day), of: "wide_positions", day, schema: schema,
                    connection: connection)
            }
            if try row["fresh"] { continue }
            try connection.query(
                """
                INSERT INTO \(schema).position_days VALUES ('1970-01-01'::date + $1::int, $2)
                ON CONFLICT (day) DO UPDATE
                SET newest_appended = greatest(position_days.newest_appended, $2)
                """, [.int64(day), .timestamp(microseconds: appended)])
        }
    }

    private func makeTable(
        _ name: String, of parent: String, _ day: Int64, schema: String,
        connection: isolated PostgresConnection
    ) throws {
        let first = Timestamp.start(ofDay: day)
        let next = Timestamp.start(ofDay: day + 1)
        // Several members reach a new day at the same time. Those that wait here find the table
        // made.
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [.text("\(schema).positions")])
        let table = "\(schema).\(name)"
        let isThere: Bool = try connection.query(
            "SELECT to_regclass($1) IS NOT NULL AS is_there", [.text(table)])[0]["is_there"]
        guard !isThere else { return }
        // The table is attached rather than created in place, because attaching waits for no
        // reader.
        try connection.execute(
            script: """
                CREATE TABLE \(table) (LIKE \(schema).\(parent) INCLUDING ALL);
                ALTER TABLE \(schema).\(parent) ATTACH PARTITION \(table)
                FOR VALUES FROM ('\(first.text)')
                TO ('\(next.text)')
                """)
    }

    /// Drops days that are past the retention, even when no new rows come.
    /// - Returns: false when a reader prevents it.
    func sweep(_ pool: PostgresPool, now: Timestamp) async throws -> Bool {
        let schema = schema
        return try await ViewRetention(schema: schema, daysKept: daysKept).sweep(pool, now: now) {
            allowance, connection in
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                [.text(Self.droppingLock(schema))])
            let old: [Int32] = try connection.query(
                """
                DELETE FROM \(schema).position_days WHERE day IN (
                    SELECT day FROM \(schema).position_days WHERE newest_appended < $1
                    ORDER BY newest_appended, day LIMIT $2)
                RETURNING day - '1970-01-01'::date AS day
                """,
                [
                    .timestamp(
                        microseconds: allowance.limit.microseconds - Self.freshnessMicroseconds),
                    .int64(allowance.days),
                ]
            ).map { try $0["day"] }
            if !old.isEmpty { try Self.drop(old, schema: schema, connection: connection) }
            let isPruned = try ViewRetention.deleteOldest(
                from: "\(schema).latest_positions", allowance, connection)
            return isPruned || !old.isEmpty
        }
    }

    /// Drops what belongs to the days alone: their rows and counts, and names of devices.
    private static func drop(
        _ days: [Int32], schema: String, connection: isolated PostgresConnection
    ) throws {
        for day in days {
            try connection.execute(
                script: """
                    DROP TABLE IF EXISTS \(schema).\(tableName(Int64(day)));
                    DROP TABLE IF EXISTS \(schema).\(wideTableName(Int64(day)))
                    """)
        }
        for table in ["room_hour_counts", "room_hour_devices"] {
            try connection.query(
                """
                DELETE FROM \(schema).\(table)
                WHERE day IN (SELECT '1970-01-01'::date + unnest($1::int[]))
                """, [.int32Array(days)])
        }
        try connection.query(
            """
            DELETE FROM \(schema).position_devices WHERE last_day <
                coalesce((SELECT min(day) FROM \(schema).position_days), 'infinity')
            """)
        try forgetNumbers(schema: schema, connection: connection)
    }

    /// Makes every process look the names up again.
    static func forgetNumbers(
        schema: String, connection: isolated PostgresConnection
    ) throws {
        try connection.query("UPDATE \(schema).position_names SET generation = generation + 1")
    }

    /// The name of a lock. Projectors that write share it; removing days or names needs it alone.
    static func droppingLock(_ schema: String) -> String { "\(schema).positions days" }

    /// A name such as `position_rows_2026_11_21`, so that tables sort by day.
    private static func tableName(_ day: Int64) -> String { "position_rows_" + date(day) }

    /// The name of the day's part of the wide table, `positions_2026_11_21`. Tables from before the
    /// narrow form have such names too.
    private static func wideTableName(_ day: Int64) -> String { "positions_" + date(day) }

    private static func date(_ day: Int64) -> String {
        String(Timestamp.start(ofDay: day).text.prefix(10)).replacing("-", with: "_")
    }
}
