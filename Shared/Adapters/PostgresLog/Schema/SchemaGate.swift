import EventLog
import Postgres
import Synchronization

/// Brings the schema up to date once, before any other query.
final class SchemaGate: Sendable {
    private let pool: PostgresPool
    private let isOpen = Mutex(false)

    init(_ pool: PostgresPool) { self.pool = pool }

    /// Callers may come at the same time: the migrator's lock admits one at a time.
    func pass() async throws(EventLogError) {
        if isOpen.withLock({ $0 }) { return }
        do {
            _ = try await pool.withConnection { try await LogSchema.migrator.migrate($0) }
        } catch { throw EventLogError(error) }
        isOpen.withLock { $0 = true }
    }
}
