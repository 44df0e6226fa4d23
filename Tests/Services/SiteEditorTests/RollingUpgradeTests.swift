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

    /// `SiteStore.remove`, without its events.
    static func remove(_ site: SiteID, _ pool: PostgresPool) async throws {
        try await pool.query(
            """
            INSERT INTO site_editor.removed_sites (site, version, removed_at, removed_by)
            SELECT id, version, published_at, 't' FROM site_editor.sites WHERE id = $1
            ON CONFLICT (site) DO UPDATE SET version = excluded.version,
                removed_at = excluded.removed_at, removed_by = excluded.removed_by
            """, [.text(site.text)])
        let tables =
            [
                "buildings", "floors", "rooms", "locations", "connections", "drafts", "versions",
                "test_versions", "imports",
            ].map { "site_editor." + $0 }
            + ["outages", "devices", "erasures"].map { "site_editor_names." + $0 }
        for table in tables {
            try await pool.query("DELETE FROM \(table) WHERE site = $1", [.text(site.text)])
        }
        try await pool.query("DELETE FROM site_editor.sites WHERE id = $1", [.text(site.text)])
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

    @Test("leave no file behind where the older one removes a site, and nothing for a new site")
    func formerRemoval() async throws {
        let editor = try await Editor()
        let picture = try await editor.publishPicture([1])
        #expect(try await editor.media.owners(of: picture.hash) == [Self.museum])
        try await FormerRelease.remove(Self.museum, editor.pool)
        #expect(try await editor.media.owners(of: picture.hash).isEmpty)
        await #expect(throws: MediaRefusal.self) {
            try await editor.sites.replace(
                Self.museum, with: Self.named("new", picture), expectedVersion: nil,
                at: Self.later)
        }
        #expect(try await editor.media.sweep(at: Self.later) == 1)
        await editor.pool.close()
    }

    @Test("count revisions on where the older one removes a site, also for the second time")
    func revisions() async throws {
        let editor = try await Editor()
        var last = 0
        for round in 0..<3 {
            let time = Int64(round) * 100
            _ = try await editor.sites.replace(
                Self.museum, with: Self.named("A \(round)"), expectedVersion: nil,
                at: Self.at(time))
            for edit in 1...3 {
                let edited = try await editor.sites.edit(
                    Self.museum, expectedRevision: nil, at: Self.at(time + Int64(edit))
                ) { _ in .replace(Self.named("B \(edit)")) }
                #expect(edited.draft.revision > last)
                last = edited.draft.revision
            }
            try await FormerRelease.remove(Self.museum, editor.pool)
        }
        await editor.pool.close()
    }

    @Test("show the new draft where the older one makes a site again, with the old revisions")
    func madeAgain() async throws {
        let editor = try await Editor()
        let other = Editor(editor.pool)
        func begin(_ name: String, at seconds: Int64) async throws {
            _ = try await editor.sites.replace(
                Self.museum, with: Self.named(name), expectedVersion: nil, at: Self.at(seconds))
            // That release begins no draft.
            try await editor.pool.query("DELETE FROM site_editor.drafts")
            let edited = try await editor.sites.edit(
                Self.museum, expectedRevision: nil, at: Self.at(seconds + 1)
            ) { _ in .replace(Self.named("edited " + name)) }
            #expect(edited.draft.revision == 1)
        }
        try await begin("old", at: 0)
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "edited old")
        try await FormerRelease.remove(Self.museum, editor.pool)
        try await begin("new", at: 10)
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "edited new")
        await editor.pool.close()
    }
}
