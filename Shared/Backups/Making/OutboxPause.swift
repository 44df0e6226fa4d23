import Postgres

/// Holds the relays of all outboxes for the moment in which the tables and the log fit together.
/// The log then has exactly the events that are not in the snapshot's outboxes.
struct OutboxPause {
    /// The server's code for a statement that took too long.
    private static let cancelled = "57014"
    /// A process that was stopped in the pause must not hold the relays for longer.
    private static let longest = Duration.seconds(60)

    private let locks: [(schema: String, lock: SessionLock)]

    /// - Parameter pool: the database of the outboxes.
    init(_ schemas: [String], _ pool: PostgresPool) {
        locks = schemas.map {
            ($0, pool.sessionLock("whereabouts outbox \($0)", silence: Self.longest))
        }
    }

    /// Waits for the turns of the relays, and holds them until `end`. A relay works off its outbox
    /// within the time that a lock waits, or the log is away.
    func begin() async throws {
        for (schema, lock) in locks {
            do { try await lock.acquire() } catch {
                guard error.sqlState == Self.cancelled else { throw error }
                throw BackupFault(
                    "the outbox of \(schema) is not worked off: events wait in it for the log. See "
                        + "why the log does not take them, and make the backup again")
            }
        }
    }

    /// Throws when a relay may have gone on.
    func check() async throws {
        for (schema, lock) in locks {
            guard await lock.isHeld() else {
                throw BackupFault(
                    "the outbox of \(schema) was not held long enough: make the backup again")
            }
        }
    }

    func end() async {
        for (_, lock) in locks { await lock.release() }
    }
}
