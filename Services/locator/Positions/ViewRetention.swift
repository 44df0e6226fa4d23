import Events
import Postgres

/// Drops the rows of a view that are past the retention. Their age counts from the time at which
/// the log received their records, never from a time inside a record. So a locator whose clock runs
/// ahead can't make rows old.
///
/// The clocks of the database and of this process may run ahead too, so the earlier one counts. At
/// most one day is dropped in a day, besides days that a shorter retention releases.
struct ViewRetention: Sendable {
    /// A little less than a day, so that a missed day is made up for.
    private static let pauseMicroseconds: Int64 = 20 * 3_600 * 1_000_000
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    let schema: String
    let daysKept: Int64

    /// The table for a migration of the view.
    static func table(schema: String) -> String {
        """
        CREATE TABLE \(schema).retention (
            only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
            days_kept bigint,
            dropped_at timestamptz NOT NULL DEFAULT '-infinity');
        INSERT INTO \(schema).retention DEFAULT VALUES;
        """
    }

    /// The rows that may be dropped now.
    struct Allowance: Sendable {
        /// Rows before this time are past the retention.
        var limit: Timestamp
        /// The most days that may be dropped at once.
        var days: Int64
    }

    /// Sweeps in one transaction. It does nothing while the view's tables do not exist.
    /// - Parameter drop: drops rows, and returns whether there were any.
    /// - Returns: false when another session uses those rows; the next sweep tries again.
    func sweep(
        _ pool: PostgresPool, now: Timestamp,
        drop: @Sendable (Allowance, isolated PostgresConnection) throws -> Bool
    ) async throws -> Bool {
        do {
            try await pool.withTransaction { connection in
                // A short wait for the lock: a long one would make everybody wait behind this sweep
                // and a slow reader.
                try connection.execute(script: "SET LOCAL lock_timeout = '1s'")
                let (allowance, moment) = try allowance(now, connection)
                guard allowance.days > 0 else { return }
                guard try drop(allowance, connection) else { return }
                try connection.query(
                    "UPDATE \(schema).retention SET dropped_at = $1",
                    [.timestamp(microseconds: moment)])
            }
            return true
        } catch let error as PostgresError where error.isUndefinedTable {
            return true
        } catch let error as PostgresError where error.isLockNotAvailable {
            return false
        }
    }

    private func allowance(
        _ now: Timestamp, _ connection: isolated PostgresConnection
    ) throws -> (Allowance, moment: Int64) {
        let row = try connection.query(
            """
            SELECT days_kept, extract(epoch FROM greatest(dropped_at, '2000-01-01'))::bigint \
            AS dropped,
                clock_timestamp() AS now
            FROM \(schema).retention FOR UPDATE
            """)[0]
        let known: Int64? = try row["days_kept"]
        let dropped: Int64 = try row["dropped"] * 1_000_000
        let theirs: Int64 = try row["now"]
        let moment = min(theirs, now.microseconds)
        if known != daysKept {
            try connection.query(
                "UPDATE \(schema).retention SET days_kept = $1", [.int(Int(daysKept))])
        }
        var days = max(0, (known ?? daysKept) - daysKept)
        if moment - dropped >= Self.pauseMicroseconds { days += 1 }
        if dropped > moment {
            // The time of the last drop came from a clock that ran ahead.
            try connection.query(
                "UPDATE \(schema).retention SET dropped_at = $1",
                [.timestamp(microseconds: moment)])
        }
        let limit = Timestamp(microseconds: moment - daysKept * Self.microsecondsPerDay)
        return (Allowance(limit: limit, days: days), moment)
    }

    /// Deletes the rows of the oldest days past the retention; returns whether there were any.
    static func deleteOldest(
        from table: String, _ allowance: Allowance, _ connection: isolated PostgresConnection
    ) throws -> Bool {
        try connection.query(
            """
            DELETE FROM \(table) WHERE appended_at < least($1,
                (SELECT date_trunc('day', min(appended_at)) FROM \(table))
                    + make_interval(days => $2::int))
            """,
            [.timestamp(microseconds: allowance.limit.microseconds), .int64(allowance.days)]
        ).affected > 0
    }
}
