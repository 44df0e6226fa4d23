import Events
import LogViews
import Media
import Postgres
import Site
import TestSupport
import Testing

@testable import SiteEditor

/// Site-editor of the release before, as far as it writes the tables. The statements are those of
/// commit b2e44e04.
enum FormerRelease {
    static let steps = Array(SiteEditorSchema.steps.prefix { $0.name != "removed-drafts" })

    /// `MediaStore.sweep`.
    static func sweep(_ pool: PostgresPool, at moment: Timestamp) async throws -> Int {
        try await pool.query(
            """
            DELETE FROM site_editor.media AS media WHERE stored_at < $1
                AND NOT EXISTS (
                    SELECT FROM site_editor.media_uses AS uses WHERE uses.hash = media.hash)
                AND NOT EXISTS (SELECT FROM site_editor.drafts
                    WHERE position(convert_to(media.hash, 'UTF8') IN document) > 0)
                AND NOT EXISTS (SELECT FROM site_editor.test_versions
                    WHERE position(convert_to(media.hash, 'UTF8') IN document) > 0)
            """, [.timestamp(microseconds: moment.microseconds - MediaStore.graceMicroseconds)]
        ).affected
    }

    /// Takes away what a publication of today writes and one of that release did not.
    static func forgetNewParts(of site: SiteID, _ pool: PostgresPool) async throws {
        try await pool.query(
            "DELETE FROM site_editor.site_media WHERE site = $1", [.text(site.text)])
    }
}

@Suite(
    "Site-editors of two releases side by side",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RollingUpgradeTests {
    private static let museum = SiteID("museum")
    private static let start = Timestamp(milliseconds: 1_795_248_000_000)

    private static func at(_ seconds: Int64) -> Timestamp {
        start.advanced(byMicroseconds: seconds * 1_000_000)
    }

    private static let later = at(3 * 86_400)

    private static func named(_ name: String, _ picture: MediaReference? = nil) -> SiteDocument {
        var document = SiteDocument(
            name: name, originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
            buildings: [
                BuildingRecord(id: BuildingID("hall"), name: "Hall", timeZone: "Europe/London")
            ])
        document.contents =
            picture.map { picture in
                [
                    ContentRecord(
                        id: ContentID("c"), place: .building(BuildingID("hall")), title: "C",
                        pictures: [PictureRecord(media: picture)])
                ]
            } ?? []
        return document
    }

    /// One process of site-editor, with what it remembers.
    private struct Editor {
        let sites: SiteStore
        let media: MediaStore
        var pool: PostgresPool { sites.pool }

        init(_ pool: PostgresPool) {
            sites = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
            media = MediaStore(pool: pool)
        }

        init() async throws {
            self.init(PostgresPool(try await PrivatePostgres.shared().makeDatabase()))
            try await SiteEditorSchema.migrate(pool)
        }

        /// Publishes a picture, and then a version without it. So a former version alone names it.
        func publishPicture(_ bytes: [UInt8]) async throws -> MediaReference {
            let picture = try await media.keep(bytes, as: .png, for: museum, at: start).reference
            for document in [named("A", picture), named("B")] {
                _ = try await sites.replace(
                    museum, with: document, expectedVersion: nil, at: start)
            }
            // Nobody ever edited a draft.
            try await pool.query("DELETE FROM site_editor.drafts")
            return picture
        }

        func isKept(_ picture: MediaReference) async throws -> Bool {
            try await media.reference(picture.hash) != nil
        }
    }

    @Test("keep a file of a new version, whichever of them sweeps")
    func newVersion() async throws {
        let editor = try await Editor()
        let picture = try await editor.publishPicture([1])
        for _ in 0..<2 {
            #expect(try await FormerRelease.sweep(editor.pool, at: Self.later) == 0)
            #expect(try await editor.media.sweep(at: Self.later) == 0)
        }
        #expect(try await editor.isKept(picture))
        try await editor.sites.remove(Self.museum, by: "t", at: Self.later)
        #expect(try await FormerRelease.sweep(editor.pool, at: Self.later) == 0)
        #expect(try await editor.media.sweep(at: Self.later) == 1)
        let left = try await editor.pool.query("SELECT hash FROM site_editor.media_uses")
        #expect(left.isEmpty)
        await editor.pool.close()
    }

    @Test("keep a file of a version that the older one has published, as long as its site")
    func formerVersion() async throws {
        let editor = try await Editor()
        let picture = try await editor.publishPicture([1])
        try await FormerRelease.forgetNewParts(of: Self.museum, editor.pool)
        for _ in 0..<2 {
            #expect(try await editor.media.sweep(at: Self.later) == 0)
            #expect(try await FormerRelease.sweep(editor.pool, at: Self.later) == 0)
        }
        #expect(try await editor.isKept(picture))
        try await editor.sites.remove(Self.museum, by: "t", at: Self.later)
        #expect(try await editor.media.sweep(at: Self.later) == 1)
        await editor.pool.close()
    }
}
