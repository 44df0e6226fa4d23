import Postgres
import TestSupport
import Testing

@Suite(
    "Servers that accept no writes",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ReadOnlyTests {
    @Test(
        "a read-only connection is replaced, and its work may be tried again"
    )
    func demoted() async throws {
        let pool = PostgresPool(
            try await PrivatePostgres.shared().makeDatabase(), maximumConnections: 1)
        try await pool.query("CREATE TABLE notes (text text)")
        try await pool.query("SET default_transaction_read_only = on")
        let insert = "INSERT INTO notes VALUES ('a')"
        do {
            try await pool.query(insert)
            Issue.record("the read-only server accepted the row")
        } catch let error as PostgresError {
            #expect(error.isReadOnly)
            #expect(error.isRetriable)
        }
        try await pool.query(insert)
        await pool.close()
    }

    @Test("a server that accepts no writes gets no connection")
    func standby() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase()
        let owner = PostgresConnection(database)
        try await owner.execute(
            script: """
                DO $$ BEGIN EXECUTE format(
                    'ALTER DATABASE %I SET default_transaction_read_only = on',
                    current_database()); END $$
                """)
        await #expect { try await PostgresConnection(database).connect() } throws: { error in
            (error as? PostgresError)?.isRetriable ?? false
        }
        await owner.close()
    }
}
