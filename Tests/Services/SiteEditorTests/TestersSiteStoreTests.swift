import Events
import Media
import Postgres
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// A testers' site from its first publication to its end, on a real PostgreSQL.
@Suite(
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct TestersSiteStoreTests {
    private static let museum = SiteID("museum")
    private static let shown = SiteID("museum.test")

    private struct Editor {
        let pool: PostgresPool
        var sites: SiteStore { SiteStore(pool: pool, outbox: SiteEditorSchema.outbox) }

        init() async throws {
            pool = PostgresPool(try await PrivatePostgres.shared().makeDatabase())
            try await SiteEditorSchema.migrate(pool)
            _ = try await sites.replace(museum, with: named("A"), expectedVersion: nil, at: at(0))
        }

        func edit(_ name: String, at moment: Timestamp) async throws {
            _ = try await sites.edit(museum, expectedRevision: nil, at: moment) { _ in
                .replace(named(name))
            }
        }

        /// The keys of removed sites in the outbox.
        func tombstones() async throws -> [String] {
            try await pool.query(
                "SELECT convert_from(key, 'UTF8') AS key FROM site_editor.outbox "
                    + "WHERE value IS NULL AND topic = 'whereabouts.site' ORDER BY 1"
            ).map { try $0["key"] }
        }
    }

    private static func at(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_795_248_000_000 + seconds * 1_000)
    }

    private static func named(_ name: String) -> SiteDocument {
        SiteDocument(name: name, originLatitude: 51, originLongitude: 0, bearingDegrees: 0)
    }

    @Test("It counts versions of its own, and all of one test have the time of its beginning")
    func versions() async throws {
        let editor = try await Editor()
        for (number, name) in ["B", "C"].enumerated() {
            try await editor.edit(name, at: Self.at(Int64(number)))
            let shown = try await editor.sites.publishToTesters(
                Self.museum, expectedRevision: nil, at: Self.at(Int64(10 + number)))
            #expect(shown.site == Self.shown && shown.outcome.version == number + 1)
        }
        let again = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.at(20))
        #expect(!again.outcome.isChanged)
        let published = try #require(try await editor.sites.published(Self.shown))
        #expect(published.document.name == "C")
        #expect(published.document.borrows == Borrowing(from: Self.museum, since: Self.at(10)))
        #expect(try await editor.sites.published(Self.museum)?.version == 1)
        #expect(try await editor.sites.testVersion(of: Self.museum)?.document.name == "C")
        await editor.pool.close()
    }

    @Test("Publishing to everyone ends it; the next test has a new beginning and counts on")
    func everyone() async throws {
        let editor = try await Editor()
        try await editor.edit("B", at: Self.at(1))
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.at(2))
        _ = try await editor.sites.publishDraft(
            Self.museum, expectedRevision: nil, at: Self.at(3))
        #expect(try await editor.sites.published(Self.shown) == nil)
        #expect(try await editor.sites.testVersion(of: Self.museum) == nil)
        #expect(try await editor.tombstones() == ["museum.test"])
        let next = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.at(4))
        #expect(next.outcome.version == 2)
        #expect(next.outcome.event?.document.borrows?.since == Self.at(4))
        await editor.pool.close()
    }

    @Test("A testers' site ends on request, once, and ends when its site is removed")
    func ends() async throws {
        let editor = try await Editor()
        func show(_ seconds: Int64) async throws {
            _ = try await editor.sites.publishToTesters(
                Self.museum, expectedRevision: nil, at: Self.at(seconds))
        }
        try await show(1)
        #expect(try await editor.sites.endTest(of: Self.museum, by: "t", at: Self.at(2)))
        await #expect(throws: UnknownSite.self) {
            try await editor.sites.endTest(of: Self.museum, by: "t", at: Self.at(3))
        }
        #expect(try await editor.sites.published(Self.museum) != nil)
        try await show(4)
        try await editor.sites.remove(Self.museum, by: "t", at: Self.at(5))
        #expect(try await editor.sites.published(Self.shown) == nil)
        #expect(try await editor.sites.all().isEmpty)
        #expect(try await editor.tombstones() == ["museum", "museum.test", "museum.test"])
        await editor.pool.close()
    }

    @Test("An ordinary site of such an id, from an older version, is neither replaced nor ended")
    func ordinary() async throws {
        let editor = try await Editor()
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.at(1))
        var event = try #require(try await editor.sites.published(Self.shown))
        event.document.borrows = nil
        try await editor.pool.query(
            "UPDATE site_editor.sites SET event = $2 WHERE id = $1",
            [.text(Self.shown.text), .bytes(event.json)])
        let later = SiteStore(pool: editor.pool, outbox: SiteEditorSchema.outbox)
        #expect(try await later.ordinarySitesWithTestersIDs() == [Self.shown])
        await #expect(throws: UntestableSite.self) {
            try await later.publishToTesters(Self.museum, expectedRevision: nil, at: Self.at(2))
        }
        #expect(try await !later.endTest(of: Self.museum, by: "t", at: Self.at(3)))
        _ = try await later.replace(
            Self.museum, with: Self.named("B"), expectedVersion: nil, endsTest: true,
            at: Self.at(4))
        try await later.remove(Self.museum, by: "t", at: Self.at(5))
        #expect(try await later.all().map(\.id) == [Self.shown.text])
        try await later.remove(Self.shown, by: "t", at: Self.at(6))
        #expect(try await later.all().isEmpty)
        await editor.pool.close()
    }

    @Test("Restoring an old version, or publishing nothing new, does not end a test")
    func stays() async throws {
        let editor = try await Editor()
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.at(1))
        _ = try await editor.sites.replace(
            Self.museum, with: Self.named("old"), expectedVersion: nil, at: Self.at(2))
        #expect(try await editor.sites.published(Self.shown) != nil)
        _ = try await editor.sites.replace(
            Self.museum, with: Self.named("new"), expectedVersion: nil, endsTest: true,
            at: Self.at(3))
        #expect(try await editor.sites.published(Self.shown) == nil)
        await editor.pool.close()
    }

    @Test("Its files belong to its site as long as the test lasts")
    func files() async throws {
        let editor = try await Editor()
        let media = MediaStore(pool: editor.pool)
        let picture = try await media.keep([1], as: .png, for: Self.museum, at: Self.at(0))
            .reference
        var document = Self.named("B")
        document.buildings = [
            BuildingRecord(id: BuildingID("hall"), name: "Hall", timeZone: "Europe/London")
        ]
        document.contents = [
            ContentRecord(
                id: ContentID("c"), place: .building(BuildingID("hall")), title: "C",
                pictures: [PictureRecord(media: picture)])
        ]
        let drawn = document
        _ = try await editor.sites.edit(Self.museum, expectedRevision: nil, at: Self.at(1)) { _ in
            .replace(drawn)
        }
        _ = try await editor.sites.publishToTesters(
            Self.museum, expectedRevision: nil, at: Self.at(2))
        #expect(try await media.owners(of: picture.hash).contains(Self.shown))
        #expect(try await editor.sites.endTest(of: Self.museum, by: "t", at: Self.at(3)))
        #expect(try await !media.owners(of: picture.hash).contains(Self.shown))
        await editor.pool.close()
    }
}
