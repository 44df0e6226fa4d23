import Postgres

/// The right to make or restore a backup with this database: one at a time.
struct BackupTurn {
    private let lock: SessionLock

    static func during<Result>(
        _ pool: PostgresPool, _ body: (BackupTurn) async throws -> Result
    ) async throws -> Result {
        let turn = BackupTurn(lock: pool.sessionLock("whereabouts backup"))
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

    /// Throws when another process may have the turn by now.
    func check() async throws {
        guard await lock.isHeld() else {
            throw BackupFault(
                "the connection to PostgreSQL was lost, and with it the lock that keeps other "
                    + "backups away: begin again")
        }
    }
}
