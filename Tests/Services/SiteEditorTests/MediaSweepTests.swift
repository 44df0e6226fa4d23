import Events
import HTTP
import LogViews
import Media
import Postgres
import Site
import TestSupport
import Testing

@testable import SiteEditor

/// Tests on a real PostgreSQL that used files stay and unused ones are removed after a day.
@Suite(
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct MediaSweepTests {
    private static let site = SiteID("museum")
    private static let day = MediaStore.graceMicroseconds
    private let start = Timestamp(milliseconds: 1_700_000_000_000)

    private struct Editor {
        let pool: PostgresPool
        var sites: SiteStore { SiteStore(pool: pool, outbox: SiteEditorSchema.outbox) }
        var media: MediaStore { MediaStore(pool: pool) }

        init() async throws {
            pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
            try await SiteEditorSchema.migrate(pool)
        }
    }

    /// A museum with or without a picture.
    private func document(_ picture: MediaReference?) -> SiteDocument {
        SiteDocument(
            name: "Museum", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("hall"), name: "Hall", timeZone: "Europe/London")
            ],
            contents: picture.map { picture in
                [
                    ContentRecord(
                        id: ContentID("c"), place: .building(BuildingID("hall")), title: "C",
                        pictures: [PictureRecord(media: picture)])
                ]
            } ?? [])
    }

    private func later(_ days: Double) -> Timestamp {
        start.advanced(byMicroseconds: Int64(days * Double(Self.day)))
    }

    @Test(
        "An unused file is gone after a day, and a file that is sent again stays another day")
    func unnamed() async throws {
        let editor = try await Editor()
        let kept = try await editor.media.keep([1, 2, 3], as: .png, at: start)
        #expect(kept.isNew)
        #expect(try await editor.media.sweep(at: later(0.9)) == 0)
        #expect(try await !editor.media.keep([1, 2, 3], as: .png, at: later(0.9)).isNew)
        #expect(try await editor.media.sweep(at: later(1.5)) == 0)
        #expect(try await editor.media.sweep(at: later(2)) == 1)
        #expect(try await editor.media.reference(kept.reference.hash) == nil)
        await editor.pool.close()
    }

    @Test("A file in a version or a draft stays")
    func named() async throws {
        let editor = try await Editor()
        let old = try await editor.media.keep([1], as: .png, at: start).reference
        let drafted = try await editor.media.keep([2], as: .png, at: start).reference
        let loose = try await editor.media.keep([3], as: .png, at: start).reference
        func publish(_ document: SiteDocument) async throws {
            _ = try await editor.sites.replace(
                Self.site, with: document, expectedVersion: nil, at: start)
        }
        try await publish(document(old))
        try await publish(document(nil))
        let next = document(drafted)
        _ = try await editor.sites.edit(Self.site, expectedRevision: nil, at: start) { _ in
            .replace(next)
        }
        #expect(try await editor.media.sweep(at: later(3)) == 1)
        #expect(try await editor.media.reference(old.hash) != nil)
        #expect(try await editor.media.reference(drafted.hash) != nil)
        #expect(try await editor.media.reference(loose.hash) == nil)
        await editor.pool.close()
    }

    @Test("A site's files go with it, but not those that another site uses or may still use")
    func removed() async throws {
        let editor = try await Editor()
        let (own, shared) = (
            try await editor.media.keep([1], as: .png, for: Self.site, at: start).reference,
            try await editor.media.keep([2], as: .png, at: start).reference
        )
        func publish(_ site: SiteID, _ picture: MediaReference) async throws {
            _ = try await editor.sites.replace(
                site, with: document(picture), expectedVersion: nil, at: start)
        }
        try await publish(Self.site, own)
        try await publish(Self.site, shared)
        try await publish(SiteID("other"), shared)
        #expect(try await editor.media.sweep(at: later(3)) == 0)
        try await editor.sites.remove(Self.site, by: "t", at: later(3))
        #expect(try await editor.media.owners(of: own.hash).isEmpty)
        #expect(try await editor.media.owners(of: shared.hash) == [nil, SiteID("other")])
        // A new site of this id does not get them.
        await #expect(throws: MediaRefusal.self) { try await publish(Self.site, own) }
        #expect(try await editor.media.sweep(at: later(3)) == 1)
        #expect(try await editor.media.reference(own.hash) == nil)
        #expect(try await editor.media.reference(shared.hash) != nil)
        try await editor.sites.remove(SiteID("other"), by: "t", at: later(4))
        #expect(try await editor.media.sweep(at: later(4)) == 1)
        await editor.pool.close()
    }

    @Test("Files of sites that an earlier release removed go, and those of present sites stay")
    func migrated() async throws {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        let former = Migrator(schema: SiteEditorSchema.name, steps: FormerRelease.steps)
        try await pool.withConnection { _ = try await former.migrate($0) }
        let hashes = ["a", "b"].map { String(repeating: $0, count: 64) }
        try await pool.query(
            """
            INSERT INTO site_editor.media SELECT hash, 'image/png', 1, '2020-01-01'
            FROM unnest($1::text[]) AS hash
            """, [.textArray(hashes)])
        try await pool.query(
            "INSERT INTO site_editor.media_uses SELECT unnest($1::text[])", [.textArray(hashes)])
        try await pool.withConnection { connection in
            try await connection.execute(
                script: """
                    INSERT INTO site_editor.removed_sites VALUES ('gone', 1, now(), 't');
                    INSERT INTO site_editor.media_owners
                        SELECT hash, CASE WHEN hash LIKE 'a%' THEN 'gone' ELSE 'kept' END
                        FROM site_editor.media;
                    INSERT INTO site_editor.versions SELECT 'kept', 1, now(),
                        convert_to('{"hash":"' || hash || '"}', 'UTF8')
                        FROM site_editor.media WHERE hash LIKE 'b%'
                    """)
        }
        try await SiteEditorSchema.migrate(pool)
        let media = MediaStore(pool: pool)
        #expect(try await FormerRelease.sweep(pool, at: start) == 0)
        #expect(try await media.owners(of: hashes[0]).isEmpty)
        #expect(try await media.owners(of: hashes[1]) == [SiteID("kept")])
        #expect(try await media.sweep(at: start) == 1)
        #expect(try await media.reference(hashes[1]) != nil)
        await pool.close()
    }

    @Test("A site can name only stored files, and must describe them as they are")
    func unknown() async throws {
        let editor = try await Editor()
        let kept = try await editor.media.keep([1], as: .png, at: start).reference
        var wrong = kept
        wrong.bytes = 7
        var missing = kept
        missing.hash = String(repeating: "0", count: 64)
        for reference in [wrong, missing] {
            await #expect(throws: MediaRefusal.self) {
                try await editor.sites.replace(
                    Self.site, with: document(reference), expectedVersion: nil, at: start)
            }
        }
        let outcome = try await editor.sites.replace(
            Self.site, with: document(kept), expectedVersion: nil, at: start)
        #expect(outcome.version == 1)
        await #expect(throws: MediaRefusal.self) {
            let next = document(missing)
            _ = try await editor.sites.edit(Self.site, expectedRevision: nil, at: start) { _ in
                .replace(next)
            }
        }
        await editor.pool.close()
    }
}
