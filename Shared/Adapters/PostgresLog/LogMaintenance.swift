import Postgres

/// Makes the coming days' tables, drops those that are past their topic's retention, and compacts.
struct LogMaintenance {
    private let database: PostgresConfiguration
    private let tombstoneMicroseconds: Int64

    init(_ settings: PostgresLogSettings) {
        var database = settings.database
        // A first compaction of a large topic takes its time, and may scan.
        database.statementTimeout = .seconds(600)
        database.settings["enable_seqscan"] = "on"
        database.settings["enable_bitmapscan"] = "on"
        database.settings["plan_cache_mode"] = "auto"
        self.database = database
        tombstoneMicroseconds = settings.tombstoneAge.microseconds
    }

    /// One pass. When another process is at it, waits for it or leaves it alone. The lock goes with
    /// the connection.
    func run(waiting: Bool) async throws {
        let connection = PostgresConnection(database)
        var isOurs = true
        if waiting {
            try await connection.query("SELECT pg_advisory_lock($1)", [.int64(Self.lock)])
        } else {
            isOurs = try await connection.query(
                "SELECT pg_try_advisory_lock($1) AS ours", [.int64(Self.lock)])[0]["ours"]
        }
        if isOurs {
            for topic in try await connection.query(
                "SELECT id, cleanup FROM log.topics ORDER BY id")
            {
                let id: Int32 = try topic["id"]
                let cleanup: String = try topic["cleanup"]
                switch cleanup {
                case "delete":
                    try await connection.query("SELECT log.extend($1)", [.int32(id)])
                    try await dropExpired(id, connection)
                case "compact":
                    try await connection.query(
                        "SELECT log.compact($1, $2)", [.int32(id), .int64(tombstoneMicroseconds)])
                default: break
                }
            }
        }
        await connection.close()
    }

    private func dropExpired(_ topic: Int32, _ connection: PostgresConnection) async throws {
        let expired = try await connection.query(
            """
            SELECT s.table_name FROM log.spans s JOIN log.topics t ON t.id = s.topic
            WHERE s.topic = $1 AND s.ends_at < clock_timestamp()
                - make_interval(secs => t.retention_microseconds / 1000000.0)
            ORDER BY s.starts_at
            """, [.int32(topic)])
        for span in expired {
            let table: String = try span["table_name"]
            try await connection.query("SELECT log.retire($1, $2)", [.int32(topic), .text(table)])
            try await drop(table, of: topic, connection)
        }
    }

    private func drop(
        _ table: String, of topic: Int32, _ connection: PostgresConnection
    ) async throws {
        do {
            try await connection.query(
                "SELECT log.drop_span($1, $2)", [.int32(topic), .text(table)])
        } catch {
            // 55P03: a long reader holds the table; the next pass tries again.
            guard error.sqlState == "55P03" else { throw error }
        }
    }

    private static let lock: Int64 = 0x5748_4552_4541_4202
}
