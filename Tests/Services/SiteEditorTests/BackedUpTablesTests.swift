import Backups
import EventLog
import Events
import Postgres
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Site-editor's tables in a backup",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct BackedUpTablesTests {
    private static let site = SiteID("museum")

    private static func erased(_ device: String, _ number: UInt64) -> DeviceErased {
        DeviceErased(
            id: EventID(high: 1, low: number), site: site, device: DeviceID(device),
            at: Timestamp(milliseconds: 1_795_305_600_000))
    }

    @Test("have no column that looks like an offset of the log")
    func offsets() async throws {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        let found: [String] = try await pool.query(
            """
            SELECT table_name || '.' || column_name AS name FROM information_schema.columns
            WHERE table_schema LIKE 'site_editor%' AND column_name LIKE '%offset%'
            """
        ).map { try $0["name"] }
        #expect(found.isEmpty)
    }

    @Test("get the erasures that came after the backup: once, and with their events")
    func reapplied() async throws {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO site_editor_names.devices (site, id, name, enrolled_at)
                    SELECT 'museum', id, id || '''s watch', '2026-01-01'
                    FROM unnest(ARRAY['anna', 'bert', 'carl']) AS id
                    """)
        }
        let (known, later) = (Self.erased("anna", 1), Self.erased("bert", 2))
        for erased in [[known], [known, later], [known, later]] {
            try await pool.withTransaction { connection in
                try SiteEditorDefinition.reapply(erased, connection)
            }
        }
        let left: [String] = try await pool.query(
            "SELECT id FROM site_editor_names.devices"
        ).map { try $0["id"] }
        #expect(left == ["carl"])
        #expect(try await ErasureStore.all(pool) == [known, later])
        let topics: [String] = try await pool.query(
            "SELECT topic FROM site_editor.outbox ORDER BY id"
        ).map { try $0["topic"] }
        let each = [Topic.erasures, .sightings, .taps, .scans].map(\.name)
        #expect(topics == each + each)
    }

    @Test("leave a device that was made again after its erasure, and its tokens")
    func madeAgain() async throws {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        let event = Self.erased("anna", 1)
        let later = event.at.advanced(byMicroseconds: 60_000_000)
        let store = TokenStore(pool: pool)
        for moment in [event.at.advanced(byMicroseconds: -60_000_000), later] {
            _ = try await store.issue(
                TokenOrder(role: .device, site: Self.site, device: event.device), at: moment)
        }
        try await pool.query(
            """
            INSERT INTO site_editor_names.devices (site, id, name, enrolled_at)
            VALUES ('museum', 'anna', 'new', $1)
            """, [.timestamp(microseconds: later.microseconds)])
        try await pool.withTransaction { connection in
            try SiteEditorDefinition.reapply([event], connection)
        }
        let names: [String] = try await pool.query(
            "SELECT name FROM site_editor_names.devices"
        ).map { try $0["name"] }
        #expect(names == ["new"])
        let live = try await store.live(at: later)
        #expect(live.map(\.issued.device) == [event.device])
    }
}
