import EventLog
public import Events
public import Postgres

/// Notes in the database which backup is being restored. An interrupted restore goes on with it,
/// and nobody else may work here until it is done.
public struct RestoreMark: Sendable, CustomStringConvertible {
    public var backup: String
    /// The moment by which retention is judged, also when the restore goes on later.
    public var begunAt: Timestamp
    public var finishedAt: Timestamp?

    private static let table = "public.whereabouts_restore"

    public init(backup: String, begunAt: Timestamp) {
        self.backup = backup
        self.begunAt = begunAt
    }

    public var description: String {
        "the backup \(backup) is being restored into this database, and the restore is not "
            + "finished: let it end (whereabouts backup restore \(backup)), or take an empty "
            + "database and log"
    }

    /// The mark of a restore that has not ended.
    public static func unfinished(_ pool: PostgresPool) async throws -> RestoreMark? {
        try await read(pool).flatMap { $0.finishedAt == nil ? $0 : nil }
    }

    public static func read(_ pool: PostgresPool) async throws -> RestoreMark? {
        let isThere: Bool = try await pool.query(
            "SELECT to_regclass($1) IS NOT NULL AS there", [.text(table)])[0]["there"]
        guard isThere else { return nil }
        return try await pool.query("SELECT backup, begun_at, finished_at FROM \(table)").first
            .map { row in
                let finished: Int64? = try row["finished_at"]
                var mark = RestoreMark(
                    backup: try row["backup"],
                    begunAt: Timestamp(microseconds: try row["begun_at"]))
                mark.finishedAt = finished.map { Timestamp(microseconds: $0) }
                return mark
            }
    }

    public func write(_ pool: PostgresPool) async throws {
        try await pool.withTransaction { connection in
            try connection.execute(
                script: """
                    CREATE TABLE \(Self.table) (
                        only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
                        backup text NOT NULL, begun_at timestamptz NOT NULL,
                        finished_at timestamptz);
                    -- Services with roles of their own look here before they begin.
                    GRANT SELECT ON \(Self.table) TO PUBLIC
                    """)
            try connection.query(
                "INSERT INTO \(Self.table) (backup, begun_at) VALUES ($1, $2)",
                [.text(backup), .timestamp(microseconds: begunAt.microseconds)])
        }
    }

    public static func finish(
        at moment: Timestamp, _ connection: isolated PostgresConnection
    ) throws {
        try connection.query(
            "UPDATE \(table) SET finished_at = $1",
            [.timestamp(microseconds: moment.microseconds)])
    }
}

/// A process waits until the restore has ended. It would append between the restored records.
struct RestoreUnfinished: CausedFault, CustomStringConvertible {
    let mark: RestoreMark
    var cause: FaultCause { .world }
    var description: String { mark.description }
}
