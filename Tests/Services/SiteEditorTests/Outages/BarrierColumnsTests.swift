import Barriers
import Events
import LogViews
import Postgres
import SampleSites
import ServiceBench
import TestSupport
import Testing

@testable import SiteEditor

@Suite(
    "Columns of barriers",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BarrierColumnsTests {
    @Test("A barrier of the version before is read after its unused column is gone")
    func former() async throws {
        let pool = try await ServiceBench.database()
        let steps = SiteEditorSchema.steps.prefix { $0.name != "barriers-of-two-addresses" }
        try await pool.withConnection {
            _ = try await Migrator(schema: SiteEditorSchema.name, steps: Array(steps)).migrate($0)
        }
        let now = PostgresValue.timestamp(microseconds: ServiceBench.start.microseconds)
        try await pool.query(
            """
            INSERT INTO site_editor.sites (id, name, version, published_at, event)
            VALUES ($1, 'Sample', 1, $2, '')
            """, [.text(SampleSite.id.text), now])
        try await pool.query(
            """
            INSERT INTO site_editor.connections (site, id, kind, accessible)
            VALUES ($1, 'door', 'door', 'yes')
            """, [.text(SampleSite.id.text)])
        try await pool.query(
            """
            INSERT INTO site_editor.barriers
                (site, connection, id, kind, state, reported_at, until_at, session, address)
            VALUES ($1, 'door', $2, 'door-locked', 'waiting', $3,
                $3::timestamptz + interval '1 day', 'abc', 7)
            """, [.text(SampleSite.id.text), .uuid(EventID(high: 1, low: 2).bytes), now])
        try await SiteEditorSchema.migrate(pool)
        let columns: [String] = try await pool.query(
            """
            SELECT column_name AS name FROM information_schema.columns
            WHERE table_schema = 'site_editor' AND table_name = 'barriers'
            """
        ).map { try $0["name"] }
        #expect(!columns.contains("only_address") && columns.contains("second_address"))
        let store = BarrierStore(pool: pool, bell: OutboxBell())
        let listed = try await store.list(of: SampleSite.id, at: ServiceBench.start)
        #expect(listed.map(\.connection.text) == ["door"])
        #expect(listed.first?.reporter?.address == 7)
    }
}
