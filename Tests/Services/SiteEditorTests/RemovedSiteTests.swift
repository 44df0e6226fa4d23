import Events
import LogViews
import Postgres
import Site
import TestSupport
import Testing

@testable import SiteEditor

@Suite(
    "A site that is removed",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct RemovedSiteTests {
    private static let museum = SiteID("museum")
    private static let moment = Timestamp(milliseconds: 1_795_248_000_000)

    private static func named(_ name: String) -> SiteDocument {
        SiteDocument(name: name, originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
    }

    /// One process of site-editor, with what it remembers.
    private struct Editor {
        let sites: SiteStore

        init(_ pool: PostgresPool) {
            sites = SiteStore(pool: pool, outbox: SiteEditorSchema.outbox)
        }

        func publish(_ name: String) async throws {
            _ = try await sites.replace(
                museum, with: named(name), expectedVersion: nil, at: moment)
        }

        func edit(_ name: String, of revision: Int? = nil) async throws -> Int {
            try await sites.edit(museum, expectedRevision: revision, at: moment) { _ in
                .replace(named(name))
            }.draft.revision
        }

        func remove() async throws { try await sites.remove(museum, by: "t", at: moment) }
    }

    private static func database() async throws -> PostgresPool {
        let pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
        try await SiteEditorSchema.migrate(pool)
        return pool
    }

    @Test("and made again has other revisions, so a second process does not show the old draft")
    func revisions() async throws {
        let pool = try await Self.database()
        let (one, other) = (Editor(pool), Editor(pool))
        try await one.publish("old")
        for revision in 1...3 { #expect(try await one.edit("old \(revision)") == revision) }
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "old 3")

        try await one.remove()
        try await one.publish("new")
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "new")
        for revision in 1...3 { _ = try await one.edit("new \(revision)") }
        let draft = try #require(try await other.sites.draft(of: Self.museum))
        #expect(draft.document.name == "new 3" && draft.revision > 3)
        // An editor who still has the old draft is refused.
        await #expect(throws: SiteRefusal.self) { try await other.edit("late", of: 3) }
        #expect(try await other.edit("newest", of: draft.revision) == draft.revision + 1)
        _ = try await one.sites.undo(Self.museum, expectedRevision: nil, at: Self.moment)
        #expect(try await other.sites.draft(of: Self.museum)?.document.name == "new 3")
        await pool.close()
    }

    @Test("keeps its erasures: a backup may still have the device, and somebody waits for the end")
    func erasures() async throws {
        let pool = try await Self.database()
        let editor = Editor(pool)
        let store = ErasureStore(pool: pool, bell: OutboxBell())
        func erase(_ site: SiteID) async throws -> DeviceErased {
            try await store.erase(DeviceID("d"), of: site, by: "t", at: Self.moment)
        }
        try await editor.publish("A")
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.moment)
        let testers = try #require(Self.museum.ofTesters)
        let erased = [try await erase(Self.museum), try await erase(testers)]
        #expect(try await editor.sites.endTest(of: Self.museum, by: "t", at: Self.moment))
        try await editor.remove()
        for erased in erased {
            #expect(try await store.erasure(erased.id, of: erased.site) == erased)
        }
        #expect(try await ErasureStore.uncopied(pool).count == 2)
        await pool.close()
    }

    @Test("and made again begins with its own document, also where nobody edited the old one")
    func unedited() async throws {
        let pool = try await Self.database()
        let editor = Editor(pool)
        for (round, name) in ["A", "B", "C"].enumerated() {
            try await editor.publish(name)
            let draft = try #require(try await editor.sites.draft(of: Self.museum))
            #expect(draft.document.name == name && draft.revision == round)
            await #expect(throws: SiteRefusal.nothingToUndo) {
                try await editor.sites.undo(Self.museum, expectedRevision: nil, at: Self.moment)
            }
            try await editor.remove()
        }
        await pool.close()
    }
}
