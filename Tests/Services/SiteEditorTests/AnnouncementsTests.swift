import EventLog
import Events
import LogViews
import Postgres
import ServiceBench
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "What the log must hold of site-editor's rows",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct AnnouncementsTests {
    private static let site = SiteID("museum")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)

    private struct Held: Hashable {
        var topic: String
        var key: [UInt8]
        var value: [UInt8]
    }

    @Test("is what their commands have put there, byte for byte")
    func same() async throws {
        let pool = try await ServiceBench.database()
        try await SiteEditorSchema.migrate(pool)
        let sites = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        var document = SiteDocument(
            name: "A", originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
        document.buildings = [
            BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")
        ]
        for name in ["Old", "New"] {
            document.name = name
            _ = try await sites.replace(
                Self.site, with: document, expectedVersion: nil, at: Self.moment)
        }
        let tokens = TokenStore(pool: pool)
        for role in [TokenRole.administrator, .surveyor] {
            _ = try await tokens.issue(TokenOrder(role: role), at: Self.moment)
        }
        let revoked = try await tokens.issue(TokenOrder(role: .administrator), at: Self.moment)
        _ = try await tokens.revoke(revoked.issued.id, at: Self.moment)
        let newest = try await pool.query(
            """
            SELECT DISTINCT ON (topic, key) topic, key, value FROM site_editor.outbox
            ORDER BY topic, key, id DESC
            """
        ).compactMap { row -> Held? in
            let value: [UInt8]? = try row["value"]
            return try value.map { Held(topic: try row["topic"], key: try row["key"], value: $0) }
        }
        let announced = try await pool.withTransaction { connection in
            var announced: [Held] = []
            try Announcements.put(connection, at: Self.moment) { _, records in
                announced += records.map {
                    Held(topic: $0.topic, key: $0.key, value: $0.value ?? [])
                }
            }
            return announced
        }
        // A site in a piece and an announcement, and two tokens.
        #expect(newest.count == 4)
        #expect(Set(announced) == Set(newest) && announced.count == newest.count)
    }
}
