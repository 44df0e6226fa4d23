/// A table's lock, by which transactions alternate. Only roles that may change the table can hold
/// it. An advisory lock would need no right at all.
public struct TableLock: Sendable {
    /// Another session that holds the lock or keeps us from getting it.
    public struct Holder: Hashable, Sendable, CustomStringConvertible {
        let process: Int32
        let role: String
        /// The session's `application_name`; empty where it has none.
        let application: String

        public var description: String {
            "process \(process) of \(role)" + (application.isEmpty ? "" : " (\(application))")
        }
    }

    private let table: String

    /// - Parameter table: with its schema. Never pass other people's input.
    public init(_ table: String) { self.table = table }

    /// Acquires the lock until the transaction ends.
    ///
    /// - Parameter waiting: whether to wait as long as the transaction's limits let it.
    /// - Throws: `isLockNotAvailable` when the lock is not free in time.
    public func acquire(
        _ connection: isolated PostgresConnection, waiting: Bool
    ) throws(PostgresError) {
        try connection.execute(
            script: "LOCK TABLE \(table) IN SHARE ROW EXCLUSIVE MODE" + (waiting ? "" : " NOWAIT"))
    }

    /// The session that holds the lock now, or keeps others from it. If there are several, the one
    /// with the oldest transaction. Call it outside of the refused transaction.
    ///
    /// - Parameter includingReaders: whether sessions that only read count too.
    public func holder(
        _ connection: PostgresConnection, includingReaders: Bool = false
    ) async throws -> Holder? {
        try await connection.query(
            """
            SELECT l.pid, coalesce(a.usename::text, 'the server') AS role,
                coalesce(a.application_name, '') AS application
            FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid)
            WHERE l.relation = to_regclass($1) AND l.granted AND l.pid <> pg_backend_pid()
                AND ($2 OR l.mode NOT IN ('AccessShareLock', 'RowShareLock'))
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            ORDER BY a.xact_start LIMIT 1
            """, [.text(table), .bool(includingReaders)]
        ).first.map {
            Holder(
                process: try $0["pid"], role: try $0["role"],
                application: try $0["application"])
        }
    }
}
