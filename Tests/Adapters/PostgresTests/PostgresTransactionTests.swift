import Postgres
import Synchronization
import TestSupport
import Testing

private struct Refusal: Error {}

private final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock(\.self) }
    func increase() { count.withLock { $0 += 1 } }
}

@Suite(
    "PostgreSQL transactions, copies and errors",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct PostgresTransactionTests {
    private func connection(_ script: String = "") async throws -> PostgresConnection {
        let connection = PostgresConnection(try await PrivatePostgres.shared().makeDatabase())
        try await connection.execute(script: script)
        return connection
    }

    private func count(_ connection: PostgresConnection, _ table: String) async throws -> Int {
        try await connection.query("SELECT count(*) AS rows FROM \(table)")[0]["rows"]
    }

    @Test("a transaction commits when its body returns and rolls back when it throws")
    func transactions() async throws {
        let connection = try await connection("CREATE TABLE t (a int PRIMARY KEY)")
        let result = try await connection.withTransaction { connection in
            try connection.query("INSERT INTO t VALUES ($1)", [1])
            return 7
        }
        #expect(result == 7)
        await #expect(throws: Refusal.self) {
            try await connection.withTransaction { connection in
                try connection.query("INSERT INTO t VALUES ($1)", [2])
                throw Refusal()
            }
        }
        #expect(try await count(connection, "t") == 1)
    }

    @Test("two that deadlock both end well if they may run again, and their bodies leave nothing")
    func deadlock() async throws {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await pool.query("CREATE TABLE t (a int)")
        let (have, runs) = (Counter(), Counter())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask {
                    try await pool.withTransaction(attempts: 2) { connection in
                        runs.increase()
                        try connection.query("INSERT INTO t VALUES ($1)", [.int(number)])
                        try connection.query("SELECT pg_advisory_xact_lock($1)", [.int(number)])
                        have.increase()
                        while have.value < 2 { await Task.yield() }
                        try connection.query(
                            "SELECT pg_advisory_xact_lock($1)", [.int(1 - number)])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(runs.value == 3)
        let count: Int = try await pool.query("SELECT count(*) AS count FROM t")[0]["count"]
        #expect(count == 2)
        await #expect(throws: PostgresError.self) {
            try await pool.withTransaction(attempts: 3) { _ in
                runs.increase()
                throw PostgresError.runAgain("always")
            }
        }
        #expect(runs.value == 3 + 3)
        await pool.close()
    }

    @Test("a pipeline is all or nothing, and its fault is the first one")
    func pipelines() async throws {
        let connection = try await connection("CREATE TABLE t (a int PRIMARY KEY)")
        let insert = { PostgresStatement("INSERT INTO t VALUES ($1)", [.int($0)]) }
        do {
            try await connection.pipeline([insert(1), insert(2), insert(1), insert(3)])
            Issue.record("the key is a duplicate")
        } catch { #expect(error.isUniqueViolation) }
        #expect(try await count(connection, "t") == 0)
        try await connection.pipeline([insert(1), insert(2)])
        #expect(try await count(connection, "t") == 2)
    }

    @Test("A time that PostgreSQL can't hold is an error, and the connection goes on")
    func times() async throws {
        let connection = try await connection("CREATE TABLE t (a timestamptz)")
        let tooEarly: [Int64] = [.min, .min + 1, .min + 946_684_799_999_999]
        for microseconds in tooEarly {
            let values: [PostgresValue] = [
                .timestamp(microseconds: microseconds),
                .timestampArray(microseconds: [nil, 0, microseconds]),
            ]
            for value in values {
                let statement = PostgresStatement("SELECT $1 AS a", [value])
                do {
                    try await connection.pipeline([
                        PostgresStatement("INSERT INTO t VALUES (now())", []), statement,
                    ])
                    Issue.record("\(microseconds) was taken")
                } catch { #expect(error.sqlState == "22008") }
            }
            await #expect(throws: PostgresError.self) {
                try await connection.copyIn("COPY t FROM STDIN") { buffer in
                    try buffer.appendRow(.timestamp(microseconds: microseconds))
                    return false
                }
            }
        }
        #expect(try await count(connection, "t") == 0)
        let latest: [Int64] = [.max, .max - 1]
        for microseconds in latest {
            // The time is valid in the format, but the server has no such time.
            _ = try? await connection.query(
                "INSERT INTO t VALUES ($1)", [.timestamp(microseconds: microseconds)])
        }
        #expect(try await connection.query("SELECT 1::int8 AS a")[0]["a"] as Int == 1)
    }

    @Test("COPY moves rows in and out, as text and binary, and a refusal leaves nothing")
    func copies() async throws {
        let connection = try await connection("CREATE TABLE t (a int8, b text)")
        let sent = Mutex(0)
        let binary = try await connection.copyIn("COPY t FROM STDIN") { buffer in
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            for row in 0..<1000 { try buffer.appendRow(.int(row), .text("row \(row)")) }
            return number < 20
        }
        #expect(binary == 20_000)
        let lines = try await connection.copyIn("COPY t FROM STDIN", format: .text) { buffer in
            buffer.append("1\tone\n2\t\\N\n".utf8)
            return false
        }
        #expect(lines == 2)
        await #expect(throws: Refusal.self) {
            try await connection.copyIn("COPY t FROM STDIN") { buffer in
                try buffer.appendRow(.int(1), .null)
                throw Refusal()
            }
        }
        #expect(try await count(connection, "t") == 20_002)
        let received = Mutex<[String]>([])
        try await connection.copyOut("COPY (SELECT a, b FROM t ORDER BY a DESC LIMIT 1) TO STDOUT")
        {
            let line = String(decoding: $0, as: UTF8.self)
            received.withLock { $0.append(line) }
        }
        #expect(received.withLock { $0 } == ["999\trow 999\n"])
    }

    @Test("statements beyond the prepared ones run, and a changed table is planned again")
    func preparedStatements() async throws {
        var configuration = try await PrivatePostgres.shared().makeDatabase()
        configuration.maximumPreparedStatements = 3
        let connection = PostgresConnection(configuration)
        for round in 0..<3 {
            for number in 0..<10 {
                let found: Int = try await connection.query(
                    "SELECT $1::int8 + \(number) AS sum", [.int(round)])[0]["sum"]
                #expect(found == round + number)
            }
        }
        let kept: Int = try await connection.query(
            "SELECT count(*) AS kept FROM pg_prepared_statements")[0]["kept"]
        #expect(kept <= 4)
        try await connection.execute(script: "CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
        #expect(try await connection.query("SELECT * FROM t").columnNames == ["a"])
        try await connection.execute(script: "ALTER TABLE t ADD COLUMN b int")
        #expect(try await connection.query("SELECT * FROM t").columnNames == ["a", "b"])
    }

    @Test("a transaction may wait longer than usual, and the next one waits as usual")
    func longStatements() async throws {
        var configuration = try await PrivatePostgres.shared().makeDatabase()
        configuration.statementTimeout = .milliseconds(200)
        let connection = PostgresConnection(configuration)
        // The wait of this process ends five seconds after the server's.
        let slow = "SELECT pg_sleep(6)"
        try await connection.withTransaction {
            try $0.setStatementTimeout(PostgresConfiguration.unlimited)
            try $0.execute(script: slow)
        }
        do {
            try await connection.execute(script: slow)
            Issue.record("it slept")
        } catch { #expect(error.sqlState == "57014") }
        await #expect(throws: PostgresError.self) {
            try await connection.setStatementTimeout(.seconds(1))
        }
    }

    @Test("errors state their kind and whether a retry may help")
    func errors() async throws {
        var configuration = try await PrivatePostgres.shared().makeDatabase()
        configuration.statementTimeout = .milliseconds(200)
        let connection = PostgresConnection(configuration)
        do {
            try await connection.query("SELECT pg_sleep(30)")
            Issue.record("it slept")
        } catch { #expect(error.sqlState == "57014") }
        do {
            try await connection.query("SELECT * FROM nowhere")
            Issue.record("the table does not exist")
        } catch { #expect(error.isUndefinedTable && !error.isRetriable) }
        do {
            try await connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
            Issue.record("the connection should be lost")
        } catch { #expect(error.isRetriable) }
        #expect(try await connection.query("SELECT 1 AS one")[0]["one"] == 1)
        let nowhere = PostgresConnection(PostgresConfiguration("host=/nowhere dbname=a"))
        do {
            try await nowhere.connect()
            Issue.record("it connected")
        } catch { #expect(error.isRetriable && error.isConnectionLost) }
    }
}
