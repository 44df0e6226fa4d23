import Events
import Postgres

/// Drops the rows of a view that are past their time, by when the log took their records in and
/// never by a time that a record tells: a locator whose clock runs ahead makes no day old.
///
/// The database's clock may run ahead too, and ours: the one that is behind counts, and one day
/// goes a day at most, besides those that a shorter retention lets go.
struct ViewRetention: Sendable {
    /// A little less than a day, so that a day that was missed is made up for in time.
    private static let pauseMicroseconds: Int64 = 20 * 3_600 * 1_000_000
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    let schema: String
    let daysKept: Int64

    /// To be part of the view's migrations.
    static func table(schema: String) -> String {
        """
        CREATE TABLE \(schema).retention (
            only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
            days_kept bigint,
            dropped_at timestamptz NOT NULL DEFAULT '-infinity');
        INSERT INTO \(schema).retention DEFAULT VALUES;
        """
    }

    /// What may go now.
    struct Allowance: Sendable {
        /// Older rows are past their time.
        var limit: Timestamp
        /// Days of rows that may be dropped at once.
        var days: Int64
    }

    /// Sweeps in one transaction. Does nothing while the view's tables are not made.
    /// - Parameter drop: tells whether anything went.
    /// - Returns: false when somebody reads or writes what is to go; the next sweep tries again.
    func sweep(
        _ pool: PostgresPool, now: Timestamp,
        drop: @Sendable (Allowance, isolated PostgresConnection) throws -> Bool
    ) async throws -> Bool {
        do {
            try await pool.withTransaction { connection in
                // Rather later than make everybody wait behind us and a long reader.
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
            SELECT days_kept, extract(epoch FROM greatest(dropped_at, '2000-01-01'))::bigint AS dropped,
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
            // What was dropped last was dropped by a clock that ran ahead.
            try connection.query(
                "UPDATE \(schema).retention SET dropped_at = $1",
                [.timestamp(microseconds: moment)])
        }
        let limit = Timestamp(microseconds: moment - daysKept * Self.microsecondsPerDay)
        return (Allowance(limit: limit, days: days), moment)
    }

    /// Deletes the rows of the oldest days that are past their time; tells whether there were any.
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
