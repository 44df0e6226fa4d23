public import Postgres

/// The limits and times of a log on PostgreSQL.
public struct PostgresLogSettings: Sendable {
    public var database: PostgresConfiguration
    /// Transactions of appends that may be under way at once; each has a thread and a connection.
    var appendWorkers = 2
    /// What may wait for its append or be under way; more is refused as back-pressure.
    public var maximumQueuedRecords = 50_000
    var maximumQueuedBytes = 64_000_000
    /// What one transaction of appends takes at most.
    var maximumBatchRecords = 1_000
    var maximumBatchBytes = 4_000_000
    /// Connections for reading and for questions.
    var readConnections = 4
    /// How late a reader finds a record when its notification was lost.
    var pollInterval = Duration.milliseconds(500)
    /// A member that is not heard of for this long loses its partitions.
    public var sessionTimeout = Duration.seconds(6)
    public var heartbeatInterval = Duration.milliseconds(1_500)
    /// How often compaction, retention and the making of coming days' tables are looked after; nil
    /// for only when `maintain` is called.
    public var maintenanceInterval: Duration? = .seconds(60)
    /// How long others may keep the log's maintenance from its work before that is told: longer
    /// than a step of another process takes, which a statement's limit of ten minutes ends.
    public var maintenancePatience = Duration.seconds(900)
    /// How long a tombstone can be read before it goes.
    public var tombstoneAge = Duration.seconds(24 * 3600)

    public init(_ database: PostgresConfiguration) {
        self.database = database
        self.database.actingForSchema = "log"
        // Plans are made once per connection. The tables are empty when the first plans are made,
        // so the planner must be told that the indexes are the way. What it is told to avoid it
        // takes for endlessly dear, and would compile such a plan when there is no other.
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
