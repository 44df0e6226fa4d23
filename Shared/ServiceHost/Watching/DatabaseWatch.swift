public import Postgres
import ServiceRuntime

/// Figures of PostgreSQL that an operator wants to see.
public struct DatabaseFigures: Sendable, Hashable {
    /// The age of the oldest transaction that this role may see, in seconds.
    public var oldestTransactionSeconds: Double
    /// Sessions of other roles, whose transactions only a member of `pg_read_all_stats` sees. The
    /// services are none: it would show them the statements of everybody.
    public var hiddenSessions: Int
    /// The size of the database.
    public var bytes: Double
    /// The server's clock minus this machine's, in seconds.
    public var clockSkewSeconds: Double
    /// Prepared transactions that nobody has ended.
    public var preparedTransactions: Int
    /// How far the newest time in the log lies ahead of the server's clock, in seconds. It is 0
    /// where the log is not in this database, or this role may not read it.
    public var logAheadSeconds = 0.0

    /// - Parameter now: the time of this machine, in microseconds since 1970.
    public static func read(
        _ pool: PostgresPool, now: @Sendable () -> Int64
    ) async throws -> DatabaseFigures {
        let before = now()
        let row = try await pool.read(
            """
            SELECT clock_timestamp() AS now,
                coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0)::float8
                    AS oldest,
                -- Of others' sessions only the user shows.
                count(*) FILTER (WHERE backend_type IS NULL AND usesysid IS NOT NULL) AS hidden,
                pg_database_size(current_database())::float8 AS bytes,
                (SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database())
                    AS prepared
            FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)[0]
        let server: Int64 = try row["now"]
        // The server has read its clock between the question and the answer.
        let middle = before + (now() - before) / 2
        return DatabaseFigures(
            oldestTransactionSeconds: try row["oldest"],
            hiddenSessions: try row["hidden"], bytes: try row["bytes"],
            clockSkewSeconds: Double(server - middle) / 1e6,
            preparedTransactions: try row["prepared"],
            logAheadSeconds: try await logAhead(pool)
        )
    }

    /// Times of a partition never decrease. So one that lies ahead is given to all that follows,
    /// until the clock is there.
    private static func logAhead(_ pool: PostgresPool) async throws -> Double {
        let hasLog: Bool = try await pool.read(
            """
            SELECT EXISTS (
                SELECT FROM pg_class t JOIN pg_namespace s ON s.oid = t.relnamespace
                WHERE s.nspname = 'log' AND t.relname = 'partitions'
                    AND has_schema_privilege(s.oid, 'USAGE')
                    AND has_table_privilege(t.oid, 'SELECT')) AS is_here
            """)[0]["is_here"]
        guard hasLog else { return 0 }
        return try await pool.read(
            """
            SELECT coalesce(extract(epoch FROM max(last_appended_at) FILTER (
                WHERE last_appended_at > clock_timestamp()) - clock_timestamp()), 0)::float8
                AS ahead
            FROM log.partitions
            """)[0]["ahead"]
    }
}

extension Host {
    private static let figuresInterval = Duration.seconds(60)
    /// The pause after a failure: at the start PostgreSQL often comes a moment later.
    private static let shortInterval = Duration.seconds(2)

    /// Shows the figures of PostgreSQL as metrics.
    func figuresWatch(_ pool: PostgresPool) -> any Component {
        let metrics = context.metrics
        let time = context.time
        return Loop("database figures") {
            while !Task.isCancelled {
                var pause = Self.shortInterval
                // The work that uses the database reports its faults.
                if let figures = try? await DatabaseFigures.read(
                    pool, now: { time.nowMicroseconds })
                {
                    metrics.gauge(
                        "whereabouts_database_oldest_transaction_seconds",
                        help: "Age of the oldest transaction of the service's role in PostgreSQL."
                    ).set(figures.oldestTransactionSeconds)
                    metrics.gauge(
                        "whereabouts_database_bytes", help: "Size of the database in bytes."
                    ).set(figures.bytes)
                    metrics.gauge(
                        "whereabouts_clock_skew_seconds",
                        help: "How far the clocks of PostgreSQL and this machine are apart."
                    ).set(abs(figures.clockSkewSeconds))
                    metrics.gauge(
                        "whereabouts_log_ahead_seconds",
                        help: "How far the log's newest time lies ahead of PostgreSQL's clock."
                    ).set(figures.logAheadSeconds)
                    pause = Self.figuresInterval
                }
                try? await Task.sleep(for: pause)
            }
        }
    }
}
