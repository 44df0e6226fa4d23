/// Brings a schema up to date: ordered, named steps, each applied once.
///
/// The table `public.migrations` holds the names of the applied steps, per schema. Processes that
/// start at the same time take that table's lock one after the other. If nothing is to be done, no
/// lock is needed. A database with a step that this program lacks is newer than the program, and is
/// refused.
public struct Migrator: Sendable {
    public struct Step: Sendable {
        public var name: String
        public var sql: String

        public init(_ name: String, _ sql: String) {
            self.name = name
            self.sql = sql
        }

        /// Creates the schema if it is missing. `CREATE SCHEMA IF NOT EXISTS` would refuse a role
        /// without the right to create schemas even when the schema exists.
        public static func schema(_ name: String) -> Step {
            Step(
                "schema",
                """
                DO $step$ BEGIN
                    IF to_regnamespace('\(name)') IS NULL THEN CREATE SCHEMA \(name); END IF;
                END $step$
                """)
        }
    }

    /// The longest wait for the lock. It is shorter than the statement limit, so that the error can
    /// name the holder.
    public static let patience = Duration.seconds(25)
    /// The longest wait of a step for a table. All that others ask of the table waits behind it, so
    /// it gives up soon and is tried again.
    private static let stepPatience = Duration.seconds(5)

    public var schema: String
    public var steps: [Step]
    private let patience: Duration

    public init(schema: String, steps: [Step], patience: Duration = Self.patience) {
        precondition(Set(steps.map(\.name)).count == steps.count)
        self.schema = schema
        self.steps = steps
        self.patience = patience
    }

    /// Creates the table of applied steps.
    public static let table = """
        CREATE TABLE IF NOT EXISTS public.migrations (
            schema_name text NOT NULL, position int NOT NULL, name text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
            PRIMARY KEY (schema_name, position))
        """

    /// Applies the missing steps, all or none, and returns their names.
    ///
    /// - Throws: `isLockNotAvailable`, with the session that holds the lock, when the wait takes
    ///   too long. It is the same where a backup or a long query uses a table of a step.
    @discardableResult
    public func migrate(_ connection: PostgresConnection) async throws -> [String] {
        do {
            return try await connection.withTransaction { try migrate(within: $0) }
        } catch let error as PostgresError where error.isLockNotAvailable {
            let holder = try await Self.turn.holder(connection)
            let cause =
                holder.map {
                    "\($0) holds public.migrations; if it is none of ours, end it by "
                        + "pg_terminate_backend"
                }
                ?? "another session uses a table that changes; a backup ends by itself, and "
                + "pg_stat_activity shows long queries"
            throw PostgresError(
                sqlState: error.sqlState,
                reason: "schema \(schema) can't be brought up to date: \(cause)")
        }
    }

    /// Does the same in the caller's transaction.
    @discardableResult
    public func migrate(within connection: isolated PostgresConnection) throws -> [String] {
        try limitWait(connection, to: patience)
        try makeTable(connection)
        if try count(connection) == steps.count { return [] }
        try waitForOlderProgram(connection)
        try Self.turn.acquire(connection, waiting: true)
        try limitWait(connection, to: min(patience, Self.stepPatience))
        // A new index of a table of years takes longer than a usual statement.
        try connection.setStatementTimeout(PostgresConfiguration.unlimited)
        // Another process may have just applied some.
        let applied = try count(connection)
        let missing = steps.dropFirst(applied)
        for (position, step) in zip(applied..., missing) {
            try connection.execute(script: step.sql)
            try connection.query(
                "INSERT INTO public.migrations VALUES ($1, $2, $3)",
                [.text(schema), .int(position), .text(step.name)])
        }
        return missing.map(\.name)
    }

    /// The steps that `migrate` would apply. Changes nothing.
    ///
    /// - Throws: when the schema is newer than this program.
    public func missing(_ pool: PostgresPool) async throws -> [String] {
        try await pool.withTransaction { connection in
            let isKnown: Bool = try connection.query(
                "SELECT to_regclass('public.migrations') IS NOT NULL AS known")[0]["known"]
            return steps.dropFirst(isKnown ? try count(connection) : 0).map(\.name)
        }
    }

    private func limitWait(
        _ connection: isolated PostgresConnection, to limit: Duration
    ) throws(PostgresError) {
        try connection.execute(script: "SET LOCAL lock_timeout = \(limit.milliseconds)")
    }

    private func makeTable(_ connection: isolated PostgresConnection) throws {
        // Checked first, since a role may lack the right to create the table but still use it.
        let isKnown: Bool = try connection.query(
            "SELECT to_regclass('public.migrations') IS NOT NULL AS known")[0]["known"]
        guard !isKnown else { return }
        try connection.query("SELECT pg_advisory_xact_lock($1)", [.int64(Self.making)])
        try connection.execute(script: Self.table)
    }

    /// Waits for programs before 0.1.0, which use an advisory lock. Any session can hold that lock,
    /// so the wait has a limit and then goes on. Remove this after 0.1.0.
    private func waitForOlderProgram(
        _ connection: isolated PostgresConnection
    ) throws(PostgresError) {
        try connection.execute(script: "SAVEPOINT older")
        do {
            try connection.query("SELECT pg_advisory_xact_lock($1)", [.int64(Self.making)])
        } catch {
            guard error.isLockNotAvailable || error.isNotAuthorized else { throw error }
            try connection.execute(script: "ROLLBACK TO SAVEPOINT older")
        }
    }

    /// The number of steps already applied.
    private func count(_ connection: isolated PostgresConnection) throws -> Int {
        let applied: [String] = try connection.query(
            "SELECT name FROM public.migrations WHERE schema_name = $1 ORDER BY position",
            [.text(schema)]
        ).map { try $0["name"] }
        try check(applied)
        return applied.count
    }

    private func check(_ applied: [String]) throws(PostgresError) {
        for (position, name) in applied.enumerated() {
            guard position < steps.count else {
                throw .misuse("schema \(schema) is newer than this program: it has step \(name)")
            }
            guard steps[position].name == name else {
                throw .misuse(
                    "schema \(schema) has step \(name) where this program has "
                        + steps[position].name)
            }
        }
    }

    private static let turn = TableLock("public.migrations")

    /// The advisory lock's number, used only here and by older programs. An advisory lock suffices
    /// because no other role exists before the table does.
    private static let making: Int64 = 0x5748_4552_4541_4201
}
