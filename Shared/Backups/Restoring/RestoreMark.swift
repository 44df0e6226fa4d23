import Events
import Postgres

/// Notes in the database which backup is being restored. An interrupted restore goes on with it.
struct RestoreMark: Sendable {
    var backup: String
    /// The moment by which retention is judged, also when the restore goes on later.
    var begunAt: Timestamp
    var finishedAt: Timestamp?

    private static let table = "public.whereabouts_restore"

    static func read(_ pool: PostgresPool) async throws -> RestoreMark? {
        let isThere: Bool = try await pool.query(
            "SELECT to_regclass($1) IS NOT NULL AS there", [.text(table)])[0]["there"]
        guard isThere else { return nil }
        return try await pool.query("SELECT backup, begun_at, finished_at FROM \(table)").first
            .map { row in
                let finished: Int64? = try row["finished_at"]
                return RestoreMark(
                    backup: try row["backup"],
                    begunAt: Timestamp(microseconds: try row["begun_at"]),
                    finishedAt: finished.map { Timestamp(microseconds: $0) })
            }
    }

    func write(_ pool: PostgresPool) async throws {
        try await pool.withTransaction { connection in
            try connection.execute(
                script: """
                    CREATE TABLE \(Self.table) (
                        only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
                        backup text NOT NULL, begun_at timestamptz NOT NULL,
                        finished_at timestamptz)
                    """)
            try connection.query(
                "INSERT INTO \(Self.table) (backup, begun_at) VALUES ($1, $2)",
                [.text(backup), .timestamp(microseconds: begunAt.microseconds)])
        }
    }

    static func finish(at moment: Timestamp, _ connection: isolated PostgresConnection) throws {
        try connection.query(
            "UPDATE \(table) SET finished_at = $1",
            [.timestamp(microseconds: moment.microseconds)])
    }
}
