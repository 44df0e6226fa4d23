import EventLog
import Postgres

/// Stores which records a view has set aside, and whether it has stopped for good. A rebuild clears
/// both.
enum ViewMemory {
    /// Creates the tables where they are missing. They are not part of the view's own migrations,
    /// whose order is fixed.
    static func prepare(schema: String, connection: isolated PostgresConnection) throws {
        try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
            [.text("whereabouts view memory \(schema)")])
        try connection.execute(
            script: """
                CREATE TABLE IF NOT EXISTS \(schema).view_dead_letters (
                    topic text NOT NULL,
                    partition integer NOT NULL,
                    "offset" bigint NOT NULL,
                    -- null until it is put back
                    applied_at timestamptz,
                    PRIMARY KEY (topic, partition, "offset"));
                CREATE TABLE IF NOT EXISTS \(schema).view_stop (
                    reason text NOT NULL,
                    at timestamptz NOT NULL)
                """)
    }

    /// The reason why the view has stopped for good. Nil if it has not.
    static func stop(
        schema: String, connection: isolated PostgresConnection
    ) throws -> String? {
        try connection.query("SELECT reason FROM \(schema).view_stop LIMIT 1").first.map {
            try $0["reason"]
        }
    }

    /// Stops the view for good; only a rebuild undoes it. The offsets may match again by chance,
    /// but with other records behind them.
    static func stop(
        _ reason: String, schema: String, connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "INSERT INTO \(schema).view_stop VALUES ($1, clock_timestamp())", [.text(reason)])
    }

    static func setAside(
        _ faults: [SetAside], schema: String, connection: isolated PostgresConnection
    ) throws {
        guard !faults.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO \(schema).view_dead_letters (topic, partition, "offset")
            SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[]) ON CONFLICT DO NOTHING
            """,
            [
                .textArray(faults.map(\.record.topic)),
                .int32Array(faults.map { Int32($0.record.partition) }),
                .int64Array(faults.map(\.record.offset)),
            ])
    }

    /// Notes that the record is now in the view. Returns false when the view has not set the record
    /// aside, or already has it back.
    static func putBack(
        _ record: StoredRecord, schema: String, connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.query(
            """
            UPDATE \(schema).view_dead_letters SET applied_at = clock_timestamp()
            WHERE topic = $1 AND partition = $2 AND "offset" = $3 AND applied_at IS NULL
            """, [.text(record.topic), .int(record.partition), .int64(record.offset)]
        ).affected == 1
    }
}
