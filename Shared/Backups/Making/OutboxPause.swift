import Postgres

/// Holds the relays of all outboxes for the moment in which the tables and the log fit together.
/// The log then has exactly the events that are not in the snapshot's outboxes.
struct OutboxPause {
    /// The server's code for a statement that took too long.
    private static let cancelled = "57014"

    private let connection: PostgresConnection

    /// - Parameter pool: the database of the outboxes.
    init(_ pool: PostgresPool) {
        // A relay works off its outbox within this time, or the log is away.
        connection = pool.separateConnection(settings: ["statement_timeout": "25000"])
    }

    func begin(_ schemas: [String]) async throws {
        for schema in schemas {
            if let error = await fault(locking: schema) {
                guard error.sqlState == Self.cancelled else { throw error }
                throw BackupFault(
                    "the outbox of \(schema) is not worked off: events wait in it for the log. See "
                        + "why the log does not take them, and make the backup again")
            }
        }
    }

    /// Waits for the relay's turn, and holds it until `end`.
    private func fault(locking schema: String) async -> PostgresError? {
        let name = PostgresValue.text("whereabouts outbox \(schema)")
        do throws(PostgresError) {
            try await connection.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name])
            return nil
        } catch {
            return error
        }
    }

    func end() async { await connection.close() }
}
