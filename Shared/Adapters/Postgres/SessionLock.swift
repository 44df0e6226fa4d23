/// A named lock of the database that a session of its own holds. It ends with the session, so a
/// process that dies holds nothing.
public struct SessionLock: Sendable {
    private let name: PostgresValue
    private let connection: PostgresConnection

    /// - Parameters:
    ///   - patience: how long `acquire` waits.
    ///   - silence: when the server ends a session that says nothing, so that a stopped process
    ///     holds nobody up; nil for never. The holder works elsewhere meanwhile.
    public init(
        _ name: String, _ configuration: PostgresConfiguration, patience: Duration = .seconds(25),
        silence: Duration? = nil
    ) {
        self.name = .text(name)
        var configuration = configuration
        configuration.statementTimeout = patience
        configuration.settings["idle_session_timeout"] = "\(silence?.milliseconds ?? 0)"
        connection = PostgresConnection(configuration)
    }

    /// Whether this session has the lock now. Nobody else can have it then.
    public func tryAcquire() async throws -> Bool {
        try await connection.query(
            "SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS mine", [name])[0]["mine"]
    }

    /// Waits for the lock.
    public func acquire() async throws(PostgresError) {
        _ = try await connection.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name])
    }

    /// Waits for the lock that several sessions may share.
    public func acquireShared() async throws(PostgresError) {
        _ = try await connection.query(
            "SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", [name])
    }

    /// Whether the session still has the lock. A connection that broke took it along, and so did a
    /// server that started again.
    public func isHeld() async -> Bool {
        let rows = try? await connection.query(
            """
            SELECT EXISTS (
                SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
                    AND granted AND objsubid = 1
                    AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)) AS held
            """, [name])
        return (try? rows?.first?["held"]) ?? false
    }

    /// Whether any session has the lock now.
    public static func isTaken(_ name: String, _ pool: PostgresPool) async throws -> Bool {
        try await pool.query(
            """
            SELECT EXISTS (
                SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0)) AS taken
            """, [.text(name)])[0]["taken"]
    }

    public func release() async {
        // The server ends a closed session only after a while, and keeps its lock until then.
        _ = try? await connection.query("SELECT pg_advisory_unlock_all()")
        await connection.close()
    }

    /// Has the lock until the transaction ends, if nobody else has it.
    public static func tryAcquire(
        _ name: String, in transaction: isolated PostgresConnection
    ) throws -> Bool {
        try transaction.query(
            "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine", [.text(name)])[0][
                "mine"]
    }
}
