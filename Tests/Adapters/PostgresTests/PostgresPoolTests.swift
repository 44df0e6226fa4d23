import Postgres
import TestSupport
import Testing

@Suite(
    "A pool of connections",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresPoolTests {
    @Test("gives out no more connections than the limit, and waiting tasks get theirs")
    func bounded() async throws {
        let pool = PostgresPool(
            try await PrivatePostgres.shared().makeDatabase(), maximumConnections: 3)
        let backends = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await pool.query("SELECT pg_backend_pid() AS id, pg_sleep(0.005)")[0]["id"]
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(backends.count <= 3)
        await pool.close()
    }

    @Test("refuses when too many tasks wait, and when one has waited too long")
    func limits() async throws {
        let pool = PostgresPool(
            try await PrivatePostgres.shared().makeDatabase(), maximumConnections: 1,
            maximumWaiting: 1, waitLimit: .milliseconds(200))
        try await pool.withConnection { _ in
            async let waiting: Void = expectExhausted(pool)
            async let refused: Void = expectExhausted(pool)
            _ = await (waiting, refused)
        }
        try await pool.query("SELECT 1")
        await pool.close()
        await expectExhausted(pool)
    }

    private func expectExhausted(_ pool: PostgresPool) async {
        do {
            try await pool.query("SELECT 1")
            Issue.record("a connection was free")
        } catch { #expect((error as? PostgresError)?.isPoolExhausted == true, "\(error)") }
    }

    @Test("lends no connection that the server has closed while it was idle")
    func closedWhileIdle() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase()
        let pool = PostgresPool(database, maximumConnections: 2)
        let other = PostgresConnection(database)
        for _ in 0..<20 {
            let idle: Int = try await pool.query("SELECT pg_backend_pid() AS id")[0]["id"]
            try await end(idle, by: other)
            let next: Int = try await pool.query("SELECT pg_backend_pid() AS id")[0]["id"]
            #expect(next != idle)
        }
        await pool.close()
    }

    @Test("closes connections that were idle for a while, and keeps those in use")
    func idleLimit() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase()
        let pool = PostgresPool(database, maximumConnections: 4, idleLimit: .milliseconds(300))
        let watching = PostgresConnection(database)
        func sessions() async throws -> Int {
            try await watching.query(
                "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()")[0]["n"]
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await pool.query("SELECT pg_sleep(0.2)") } }
            try await group.waitForAll()
        }
        #expect(try await sessions() == 4)
        try await Task.sleep(for: .milliseconds(400))
        let used: Int = try await pool.query("SELECT pg_backend_pid() AS id")[0]["id"]
        // The server takes a moment to notice that they have gone.
        for _ in 0..<100 where try await sessions() > 1 {
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try await sessions() == 1)
        #expect(try await pool.query("SELECT pg_backend_pid() AS id")[0]["id"] == used)
        await pool.close()
        await watching.close()
    }

    @Test("drops a connection after a large value, but keeps one after many rows")
    func largeValues() async throws {
        let pool = PostgresPool(
            try await PrivatePostgres.shared().makeDatabase(), maximumConnections: 1)
        func backend() async throws -> Int {
            try await pool.query("SELECT pg_backend_pid() AS id")[0]["id"]
        }
        let first = try await backend()
        let rows = try await pool.query("SELECT repeat('x', 1000) FROM generate_series(1, 1000)")
        #expect(rows.count == 1_000)
        #expect(try await backend() == first)
        let text = String(repeating: "x", count: 300_000)
        try await pool.query("SELECT length($1)", [.text(text)])
        let second = try await backend()
        #expect(second != first)
        let value: String = try await pool.query("SELECT repeat('x', 300000) AS value")[0]["value"]
        #expect(value == text)
        #expect(try await backend() != second)
        await pool.close()
    }

    @Test("repeats a read after the connection was lost in the middle")
    func lostWithinRead() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase()
        let pool = PostgresPool(database, maximumConnections: 2)
        let other = PostgresConnection(database)
        let idle: Int = try await pool.query("SELECT pg_backend_pid() AS id")[0]["id"]
        // The first attempt ends its own connection; the second one uses another.
        let rows = try await pool.read(
            """
            SELECT pg_backend_pid() AS id,
                CASE pg_backend_pid() WHEN $1 THEN pg_terminate_backend($1::int) END AS ended
            """, [.int32(Int32(idle))])
        #expect(try rows[0]["id"] as Int != idle)
        await #expect(throws: PostgresError.self) {
            try await pool.query("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        try await other.query("SELECT 1")
        await pool.close()
    }

    /// Ends a backend as the server's own stop would, and waits until it is gone.
    private func end(_ backend: Int, by other: PostgresConnection) async throws {
        try await other.query("SELECT pg_terminate_backend($1, 10000)", [.int32(Int32(backend))])
    }

    @Test("works again after the server was killed")
    func recovers() async throws {
        let server = try PrivatePostgres()
        let pool = PostgresPool(server.configuration(), maximumConnections: 2)
        try await pool.query("SELECT 1")
        server.kill()
        await #expect(throws: PostgresError.self) { try await pool.query("SELECT 1") }
        try server.start()
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? await pool.query("SELECT 1")) == nil, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await pool.query("SELECT 1")
        await pool.close()
        server.stop()
    }
}

@Suite(
    "A migrator",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MigratorTests {
    private let first = Migrator.Step("first", "CREATE TABLE a (x int)")
    private let second = Migrator.Step("second", "ALTER TABLE a ADD COLUMN y int")

    @Test("applies each step once, also when several processes start together")
    func once() async throws {
        let configuration = try await PrivatePostgres.shared().makeDatabase()
        let migrator = Migrator(schema: "a", steps: [first, second])
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<5 {
                group.addTask { try await migrator.migrate(PostgresConnection(configuration)) }
            }
            return try await group.reduce([], +)
        }
        #expect(applied == ["first", "second"])
    }

    @Test("refuses a database that is newer than the program, or has other steps")
    func refuses() async throws {
        let connection = PostgresConnection(try await PrivatePostgres.shared().makeDatabase())
        try await Migrator(schema: "a", steps: [first, second]).migrate(connection)
        await #expect(throws: PostgresError.self) {
            try await Migrator(schema: "a", steps: [first]).migrate(connection)
        }
        await #expect(throws: PostgresError.self) {
            try await Migrator(schema: "a", steps: [second, first]).migrate(connection)
        }
    }

    @Test("waits for the lock with a limit, names the holder, and needs no lock if all is applied")
    func turn() async throws {
        let configuration = try await PrivatePostgres.shared().makeDatabase()
        let connection = PostgresConnection(configuration)
        try await Migrator(schema: "a", steps: [first]).migrate(connection)
        try await connection.execute(script: "CREATE ROLE a_stranger")
        let stranger = PostgresConnection(configuration)
        try await stranger.execute(script: "SET ROLE a_stranger")
        await #expect(throws: PostgresError.self) {
            try await stranger.execute(
                script: "LOCK TABLE public.migrations IN ROW EXCLUSIVE MODE")
        }
        // Older programs used this advisory lock, which needs no rights.
        try await stranger.query("SELECT pg_advisory_lock($1)", [.int64(0x5748_4552_4541_4201)])
        let both = Migrator(schema: "a", steps: [first, second], patience: .milliseconds(200))
        let other = PostgresConnection(configuration)
        try await other.execute(
            script: "BEGIN; LOCK TABLE public.migrations IN SHARE ROW EXCLUSIVE MODE")
        #expect(try await Migrator(schema: "a", steps: [first]).migrate(connection) == [])
        let process: Int32 = try await other.query("SELECT pg_backend_pid() AS pid")[0]["pid"]
        do {
            try await both.migrate(connection)
            Issue.record("the migration should have waited in vain")
        } catch let error as PostgresError {
            #expect(error.isLockNotAvailable)
            #expect(error.reason.contains("process \(process) of postgres"), "\(error)")
        }
        try await other.execute(script: "ROLLBACK")
        let begin = ContinuousClock.now
        #expect(try await both.migrate(connection) == ["second"])
        // The lock's holder could have been an older program that migrates.
        #expect(.now - begin >= .milliseconds(200))
        await stranger.close()
        try await connection.execute(script: "DROP ROLE a_stranger")
    }

    @Test("gives up when a backup reads a table of a step, since others wait behind it meanwhile")
    func readTable() async throws {
        let configuration = try await PrivatePostgres.shared().makeDatabase()
        let connection = PostgresConnection(configuration)
        try await Migrator(schema: "a", steps: [first]).migrate(connection)
        let reader = PostgresConnection(configuration)
        try await reader.execute(script: "BEGIN; LOCK TABLE a IN ACCESS SHARE MODE")
        let both = Migrator(schema: "a", steps: [first, second], patience: .milliseconds(200))
        // Without the limit the step would wait until the reader is done.
        let end = Task {
            try await Task.sleep(for: .seconds(10))
            try await reader.execute(script: "ROLLBACK")
        }
        do {
            try await both.migrate(connection)
            Issue.record("the step should have waited in vain")
        } catch let error as PostgresError {
            #expect(error.isLockNotAvailable && error.isRetriable)
            #expect(error.reason.contains("another session uses a table"), "\(error)")
        }
        end.cancel()
        try? await reader.execute(script: "ROLLBACK")
        #expect(try await both.migrate(connection) == ["second"])
    }

    @Test("leaves nothing of a step that fails")
    func fails() async throws {
        let connection = PostgresConnection(try await PrivatePostgres.shared().makeDatabase())
        let broken = Migrator.Step("broken", "CREATE TABLE b (x int); SELECT 1 / 0")
        await #expect(throws: PostgresError.self) {
            try await Migrator(schema: "a", steps: [first, broken]).migrate(connection)
        }
        #expect(try await Migrator(schema: "a", steps: [first]).migrate(connection) == ["first"])
    }
}
