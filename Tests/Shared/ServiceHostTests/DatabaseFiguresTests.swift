import Foundation
import Postgres
import TestSupport
import Testing

@testable import ServiceHost

@Suite(
    "Figures of PostgreSQL",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DatabaseFiguresTests {
    @Test("Sessions of other roles are counted as hidden from a role that may not see them")
    func hidden() async throws {
        let database = try await PrivatePostgres.shared().makeDatabase()
        let owner = PostgresConnection(database)
        // The server is shared with other tests.
        let role = "figures_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        try await owner.query("CREATE ROLE \(role) LOGIN")
        func figures(_ configuration: PostgresConfiguration) async throws -> DatabaseFigures {
            let pool = PostgresPool(configuration)
            let figures = try await DatabaseFigures.read(
                pool, now: { Int64(Date().timeIntervalSince1970 * 1e6) })
            await pool.close()
            return figures
        }
        let plain = PostgresConfiguration(
            try database.connectionString(user: role, password: "none"))
        #expect(try await figures(plain).hiddenSessions == 1)
        #expect(try await figures(database).hiddenSessions == 0)
        try await owner.query("DROP ROLE \(role)")
        await owner.close()
    }
}
