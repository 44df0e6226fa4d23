import Backups
import Postgres
import ServiceBench
import TestSupport
import Testing

@testable import Locator

@Suite(
    "Counts in a backup",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct StoredCountsTests {
    @Test("have no column that looks like an offset of the log")
    func offsets() async throws {
        let pool = try await ServiceBench.database()
        for store in LocatorDefinition.backupStores {
            try await pool.withConnection { _ = try await store.migrator.migrate($0) }
        }
        let names: [String] = try await pool.query(
            """
            SELECT table_name || '.' || column_name AS name FROM information_schema.columns
            WHERE table_schema = 'locator_counts' ORDER BY 1
            """
        ).map { try $0["name"] }
        #expect(!names.isEmpty)
        #expect(names.filter { $0.contains("offset") || $0.contains("log_position") } == [])
    }
}
