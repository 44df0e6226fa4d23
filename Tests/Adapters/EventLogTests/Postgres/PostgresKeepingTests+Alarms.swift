import EventLog
import Postgres
import Retrying
import Synchronization
import Testing

@testable import PostgresLog

/// The alarms about maintenance that can't do its work.
extension PostgresKeepingTests {
    @Test("passes that fail for long raise an alarm, and a good pass ends it")
    func failingMaintenance() {
        let told = Mutex<[String]>([])
        var turn = MaintenanceTurn(
            patience: .zero,
            notices: Notices(
                onUnexpected: { sentence in told.withLock { $0.append(sentence) } },
                onRecovery: { sentence in told.withLock { $0.append(sentence) } }))
        turn.failed(EventLogError(.unavailable, "no"))
        turn.passed(.done)
        #expect(told.withLock { $0.isEmpty })
        turn.failed(EventLogError(.unavailable, "no"))
        turn.failed(EventLogError(.unavailable, "no"))
        turn.passed(.done)
        #expect(told.withLock { $0.count } == 2)
        // Other processes do the maintenance: no alarm while their work shows.
        for state in ["a", "b", "c"] { turn.passed(.left(to: nil, state: state)) }
        #expect(told.withLock { $0.count } == 2)
        turn.passed(.left(to: nil, state: "c"))
        #expect(told.withLock { $0.last?.contains("again and again") } == true)
    }

    @Test("an old table that is still read is reported, and other old tables are dropped")
    func stuckTables() async throws {
        let topic = TopicSpecification(
            name: "scans", partitions: 1, cleanup: .delete(after: .seconds(86_400)))
        try await withPostgresLog([topic], patience: .seconds(1)) { log, connection in
            for (name, day) in [("older", 1), ("old", 2)] {
                try await connection.execute(
                    script: """
                        CREATE TABLE log.records_\(name) (LIKE log.records_1 INCLUDING ALL);
                        ALTER TABLE log.records_1 ATTACH PARTITION log.records_\(name)
                            FOR VALUES FROM ('2020-01-0\(day)') TO ('2020-01-0\(day + 1)');
                        INSERT INTO log.spans VALUES (1, '2020-01-0\(day)',
                            '2020-01-0\(day + 1)', 'records_\(name)')
                        """)
            }
            try await connection.execute(script: "SET application_name = 'forgotten'")
            let process: Int32 =
                try await connection.query("SELECT pg_backend_pid() AS pid")[0]["pid"]
            // First a lock like that of a query that skips the other days' tables, then one on the
            // oldest day.
            for (locked, left) in [("ONLY log.records_1", 2), ("log.records_older", 1)] {
                try await connection.execute(
                    script: "BEGIN; LOCK TABLE \(locked) IN ACCESS SHARE MODE")
                let error = await #expect(throws: EventLogError.self) { try await log.maintain() }
                let reason = error?.reason ?? ""
                #expect(
                    reason.contains("process \(process) of postgres (forgotten)"), "\(reason)")
                try await connection.execute(script: "ROLLBACK")
                let rows = try await connection.query(
                    "SELECT FROM log.spans WHERE table_name LIKE 'records_old%'")
                #expect(rows.count == left)
            }
            try await log.maintain()
            let rows = try await connection.query("SELECT FROM log.spans WHERE ends_at < now()")
            #expect(rows.isEmpty)
        }
    }
}
