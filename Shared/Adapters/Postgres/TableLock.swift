/// A lock by which transactions take turns. Only who may change the table can take it; advisory
/// locks ask nobody for rights.
public struct TableLock: Sendable {
    /// Another session whose transaction has the lock, or one that keeps us from it.
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

    /// - Parameter table: with its schema. Not for input of strangers.
    public init(_ table: String) { self.table = table }

    /// Takes it until the transaction ends.
    /// - Throws: `isLockNotAvailable` when it is not free within the limit; nil waits for as long
    ///   as a statement may take.
    public func take(
        _ connection: isolated PostgresConnection, within limit: Duration?
    ) throws(PostgresError) {
        let lock = "LOCK TABLE \(table) IN SHARE ROW EXCLUSIVE MODE"
        guard let limit, limit > .zero else {
            return try connection.execute(script: limit == nil ? lock : lock + " NOWAIT")
        }
        try connection.execute(
            script: """
                SET LOCAL lock_timeout = \(limit.milliseconds); \(lock);
                SET LOCAL lock_timeout TO DEFAULT
                """)
    }

    /// The session that has the lock now, or keeps others from it: the one with the oldest
    /// transaction. Ask outside of the transaction that was refused.
    ///
    /// - Parameter includingReaders: who reads counts too.
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
