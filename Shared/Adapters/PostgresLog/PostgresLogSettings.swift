public import Postgres

/// The limits and times of a log on PostgreSQL.
public struct PostgresLogSettings: Sendable {
    public var database: PostgresConfiguration
    /// The number of append transactions that may run at once. Each has a thread and a connection.
    var appendWorkers = 2
    /// The limits of all waiting and running appends together. Further ones are refused as
    /// back-pressure.
    public var maximumQueuedRecords = 50_000
    var maximumQueuedBytes = 64_000_000
    /// The limits of one transaction that appends records.
    var maximumBatchRecords = 1_000
    var maximumBatchBytes = 4_000_000
    /// The number of connections for reading and for queries.
    var readConnections = 4
    /// How often a reader asks for records while notifications may be missing: without a
    /// connection for them, and shortly after it was made.
    var pollInterval = Duration.milliseconds(500)
    /// How often it asks otherwise. So it finds records whose notification was lost, because their
    /// process ended before it was sent.
    var quietPollInterval = Duration.seconds(5)
    /// How long notifications may still be missing after the connection was made. Others ask once a
    /// second whether anybody listens.
    var settling = Duration.seconds(2)
    /// A member without a heartbeat for this long loses its partitions.
    public var sessionTimeout = Duration.seconds(6)
    public var heartbeatInterval = Duration.milliseconds(1_500)
    /// The interval of compaction, retention and the creation of coming days' tables. With nil they
    /// run only when `maintain` is called.
    public var maintenanceInterval: Duration? = .seconds(60)
    /// How long other sessions may block the log's maintenance before an alarm. It is longer than a
    /// step of another process, which the statement limit of ten minutes ends.
    public var maintenancePatience = Duration.seconds(900)
    /// How long a tombstone stays readable before compaction removes it.
    public var tombstoneAge = Duration.seconds(24 * 3600)

    public init(_ database: PostgresConfiguration) {
        self.database = database
        self.database.actingForSchema = "log"
        // Plans are made once per connection, often while the tables are empty. So the planner is
        // told to use the indexes. It rates the forbidden ways as extremely costly, and would
        // compile such a plan where there is no other.
        self.database.settings.merge([
            "plan_cache_mode": "force_generic_plan", "enable_seqscan": "off",
            "enable_bitmapscan": "off", "jit": "off",
        ]) { own, _ in own }
    }

    var sessionMicroseconds: Int64 { sessionTimeout.microseconds }
}

extension Duration {
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
