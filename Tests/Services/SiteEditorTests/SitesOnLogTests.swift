import EventLog
import Events
import LogViews
import Postgres
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// The records that publications put into the outbox, on a real PostgreSQL.
@Suite(
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct SitesOnLogTests {
    private static let site = SiteID("museum")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)

    private struct Editor {
        let pool: PostgresPool
        var sites: SiteStore { SiteStore(pool: pool, outbox: SiteEditorSchema.outbox) }

        init() async throws {
            pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
            try await SiteEditorSchema.migrate(pool)
        }

        func publish(_ document: SiteDocument) async throws {
            _ = try await sites.replace(
                site, with: document, expectedVersion: nil, at: SitesOnLogTests.moment)
        }

        /// The waiting records as `topic key`, in their order, with a minus for a tombstone. They are
        /// gone then.
        func waiting() async throws -> [String] {
            try await pool.query(
                """
                WITH gone AS (DELETE FROM site_editor.outbox RETURNING *)
                SELECT topic, convert_from(key, 'UTF8') AS key, value IS NULL AS is_tombstone
                FROM gone ORDER BY id
                """
            ).map { row in
                let (topic, key): (String, String) = (try row["topic"], try row["key"])
                let isTombstone: Bool = try row["is_tombstone"]
                return "\(isTombstone ? "-" : "")\(topic) \(key)"
            }
        }
    }

    private static func named(_ name: String, contents: Int = 0) -> SiteDocument {
        var document = SiteDocument(
            name: name, originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
        document.buildings = [
            BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Europe/London")
        ]
        document.contents = (0..<contents).map { number in
            ContentRecord(
                id: ContentID("c\(number)"), place: .building(BuildingID("b")), title: "T",
                text: String(repeating: "x", count: 19_000))
        }
        return document
    }

    private static func piece(_ document: SiteDocument, _ number: Int = 0) -> String {
        let event = SitePublished(
            site: site, version: 1, publishedAt: moment, document: document)
        let hash = SiteAnnounced(event, document: document.json).hash
        return "whereabouts.site-documents museum/\(hash)/\(number)"
    }

    private static let announcement = "whereabouts.site museum"

    @Test("Pieces come before their announcement, tombstones of the former document behind it")
    func order() async throws {
        let editor = try await Editor()
        let (small, large) = (Self.named("A"), Self.named("B", contents: 100))
        try await editor.publish(small)
        #expect(try await editor.waiting() == [Self.piece(small), Self.announcement])
        try await editor.publish(large)
        let pieces = (0..<3).map { Self.piece(large, $0) }
        #expect(
            try await editor.waiting()
                == pieces + [Self.announcement, "-" + Self.piece(small)])
        // The same document again publishes nothing.
        try await editor.publish(large)
        #expect(try await editor.waiting().isEmpty)
        // A former document comes back with its pieces.
        try await editor.publish(small)
        #expect(
            try await editor.waiting()
                == [Self.piece(small), Self.announcement] + pieces.map { "-" + $0 })
        try await editor.sites.remove(Self.site, by: "somebody", at: Self.moment)
        #expect(
            try await editor.waiting()
                == ["-" + Self.announcement, "-" + Self.piece(small)])
        try await editor.publish(small)
        #expect(try await editor.waiting() == [Self.piece(small), Self.announcement])
    }

    @Test("A site that an earlier release published whole has no pieces to remove")
    func former() async throws {
        let editor = try await Editor()
        try await editor.publish(Self.named("A"))
        try await editor.pool.query(
            "UPDATE site_editor.sites SET document_hash = NULL, document_pieces = NULL")
        _ = try await editor.waiting()
        try await editor.publish(Self.named("B"))
        #expect(
            try await editor.waiting() == [Self.piece(Self.named("B")), Self.announcement])
    }

    @Test("A document above the limit is refused, and nothing of it stays")
    func limit() async throws {
        let editor = try await Editor()
        let document = Self.named("A", contents: 1_700)
        await #expect(throws: RecordTooLarge.self) { try await editor.publish(document) }
        #expect(try await editor.waiting().isEmpty)
        #expect(try await editor.sites.published(Self.site) == nil)
    }
}
