import Postgres

/// The right to make or restore a backup with this database: one at a time.
struct BackupTurn {
    private static let name = "whereabouts backup"

    private let lock: SessionLock

    static func during<Result>(
        _ pool: PostgresPool, _ body: (BackupTurn) async throws -> Result
    ) async throws -> Result {
        let turn = BackupTurn(lock: pool.sessionLock(name))
        do {
            guard try await turn.lock.tryAcquire() else {
                throw BackupFault(
                    "another backup is being made or restored; wait until it is done")
            }
            let result = try await body(turn)
            await turn.lock.release()
            return result
        } catch {
            await turn.lock.release()
            throw error
        }
    }

    /// Whether somebody has the turn now. Nobody can while PostgreSQL is away.
    static func isTaken(_ pool: PostgresPool) async -> Bool {
        (try? await SessionLock.isTaken(name, pool)) ?? false
    }

    /// Throws when another process may have the turn by now.
    func check() async throws {
        guard await lock.isHeld() else {
            throw BackupFault(
                "the connection to PostgreSQL was lost, and with it the lock that keeps other "
                    + "backups away: begin again")
        }
    }
}
