import Events
import LogViews
import Postgres
import Wire

/// The tables of days: `locator.position_days` tells when the log took in the newest record of
/// each.
extension PositionsView {
    /// How much newer a record must be for the day's row to be written again: rarely enough that
    /// projectors don't wait for each other, and added to what is kept.
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

    /// Makes the tables of the days that are new, and notes how fresh each day is.
    func makeDays(
        _ newest: [Int64: Int64], schema: String, connection: isolated PostgresConnection
    ) throws {
        // No day is dropped between this and the commit. Statements apart, since each sees what was
        // committed before it began.
        try connection.query(
            "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))",
            [.text(Self.droppingLock(schema))])
        for (day, appended) in newest.sorted(by: { $0.key < $1.key }) {
            let rows = try connection.query(
                """
                SELECT newest_appended >= $2 AS fresh FROM \(schema).position_days
                WHERE day = '1970-01-01'::date + $1::int
                """,
                [.int64(day), .timestamp(microseconds: appended - Self.freshnessMicroseconds)])
            if let row = rows.first {
                if try row["fresh"] { continue }
            } else {
                try makeTable(day, schema: schema, connection: connection)
            }
            try connection.query(
                """
                INSERT INTO \(schema).position_days VALUES ('1970-01-01'::date + $1::int, $2)
                ON CONFLICT (day) DO UPDATE
                SET newest_appended = greatest(position_days.newest_appended, $2)
                """, [.int64(day), .timestamp(microseconds: appended)])
        }
    }

    private func makeTable(
        _ day: Int64, schema: String, connection: isolated PostgresConnection
    ) throws {
        let first = Timestamp.start(ofDay: day)
        let next = Timestamp.start(ofDay: day + 1)
        // Members come to a new day together; who waits here finds the table made.
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [.text("\(schema).positions")])
        let table = "\(schema).\(Self.tableName(day))"
        let isThere: Bool = try connection.query(
            "SELECT to_regclass($1) IS NOT NULL AS is_there", [.text(table)])[0]["is_there"]
        guard !isThere else { return }
        // Attached rather than created in place: that waits for no reader.
        try connection.execute(
            script: """
                CREATE TABLE \(table) (LIKE \(schema).positions INCLUDING ALL);
                ALTER TABLE \(schema).positions ATTACH PARTITION \(table)
                FOR VALUES FROM ('\(first.text)')
                TO ('\(next.text)')
                """)
    }

    /// Drops what is past its time, also when nothing comes any more.
    /// - Returns: false when a reader is in the way.
    func sweep(_ pool: PostgresPool, now: Timestamp) async throws -> Bool {
        let schema = schema
        return try await ViewRetention(schema: schema, daysKept: daysKept).sweep(pool, now: now) {
            allowance, connection in
            try connection.query(
                "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                [.text(Self.droppingLock(schema))])
            let old = try connection.query(
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
                ])
            for row in old {
                let day: Int32 = try row["day"]
                try connection.execute(
                    script: "DROP TABLE IF EXISTS \(schema).\(Self.tableName(Int64(day)))")
            }
            let isPruned = try ViewRetention.deleteOldest(
                from: "\(schema).latest_positions", allowance, connection)
            return isPruned || !old.isEmpty
        }
    }

    private static func droppingLock(_ schema: String) -> String { "\(schema).positions days" }

    /// Such as `positions_2026_11_21`, so that the order of names is the order of days.
    private static func tableName(_ day: Int64) -> String {
        let date = Timestamp.start(ofDay: day).text.prefix(10)
        return "positions_" + date.replacing("-", with: "_")
    }
}
