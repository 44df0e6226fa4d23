import Postgres
import TestSupport
import Testing

@Suite("A pool of connections", .enabled(if: PrivatePostgres.isInstalled, "no PostgreSQL server"))
struct PostgresPoolTests {
    @Test("hands out no more connections than it may, and those who wait get theirs")
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

    @Test("refuses when too many wait, and when one has waited too long")
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

    @Test("finds its way back after the server was killed")
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

@Suite("A migrator", .enabled(if: PrivatePostgres.isInstalled, "no PostgreSQL server"))
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

    @Test("refuses a database that is newer than the program, or another")
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
