import Events
import Geometry
import Media
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

/// Site-editor of the release before, as far as it writes drafts. The statements are those of
/// commit 3f06e100.
private struct FormerEditor {
    let pool: PostgresPool
    let site = DraftBench.site

    /// The newest draft; throws where its row has no document.
    func draft() async throws -> SiteDraft {
        let row = try await pool.query(
            """
            SELECT revision, document FROM site_editor.drafts WHERE site = $1
            ORDER BY revision DESC LIMIT 1
            """, [.text(site.text)])[0]
        return SiteDraft(
            site: site, revision: try row["revision"],
            document: try SiteDocument(json: try row["document"]))
    }

    func insert(_ draft: SiteDraft, parent: Int?, at moment: Timestamp) async throws {
        try await pool.query(
            """
            INSERT INTO site_editor.drafts (site, revision, parent, edited_at, document)
            VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .text(site.text), .int(draft.revision), .optional(parent, PostgresValue.int),
                .timestamp(microseconds: moment.microseconds), .bytes(draft.document.json),
            ])
        try await pool.query(
            "DELETE FROM site_editor.drafts WHERE site = $1 AND revision < $2",
            [.text(site.text), .int(draft.revision - 50)])
    }

    func edit(_ edit: SiteEdit, at moment: Timestamp) async throws {
        let draft = try await draft()
        guard let next = try draft.decide(edit, expectedRevision: nil, at: moment) else { return }
        try await insert(next, parent: draft.revision, at: moment)
    }

    func undo(at moment: Timestamp) async throws {
        let draft = try await draft()
        let row = try await pool.query(
            """
            SELECT earlier.document, earlier.parent FROM site_editor.drafts AS latest
            JOIN site_editor.drafts AS earlier
                ON earlier.site = latest.site AND earlier.revision = latest.parent
            WHERE latest.site = $1 AND latest.revision = $2
            """, [.text(site.text), .int(draft.revision)])[0]
        try await insert(
            SiteDraft(
                site: site, revision: draft.revision + 1,
                document: try SiteDocument(json: try row["document"])),
            parent: try row["parent"], at: moment)
    }
}

@Suite(
    "Drafts of the release before",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DraftUpgradeTests {
    private static func renamed(_ name: String) -> SiteEdit {
        var room = SampleSite.index.document.rooms[0]
        room.name = name
        return .put(room)
    }

    /// Edits of a former process: three, of which it undid two, and one more.
    private func edited() async throws -> (bench: DraftBench, former: FormerEditor) {
        let bench = try await DraftBench()
        let former = FormerEditor(pool: bench.pool)
        let moment = bench.bench.clock.now
        try await former.insert(
            SiteDraft(
                site: DraftBench.site, revision: 0, document: SampleSite.index.document),
            parent: nil, at: moment)
        for name in ["One", "Two", "Three"] {
            try await former.edit(Self.renamed(name), at: moment)
        }
        try await former.undo(at: moment)
        try await former.undo(at: moment)
        try await former.edit(.clear(.room(RoomID("B"))), at: moment)
        return (bench, former)
    }

    @Test("get a journal, whose edits can be undone one by one")
    func adopted() async throws {
        let (bench, _) = try await edited()
        let listed = try await bench.send("GET", DraftBench.edits)
        let words = (0..<6).map { listed["edits.\($0).do"] ?? "" }
        #expect(words == ["patch", "patch", "patch", "undo", "undo", "patch"], "\(listed.text)")
        #expect(listed["edits.3.undoes"] == "3" && listed["edits.4.undoes"] == "2")
        #expect(listed["edits.0.by.name"] == "somebody")
        for (undoes, revision) in [("6", "7"), ("1", "8")] {
            let undone = try await bench.send("POST", "\(DraftBench.path)/undo", ifMatch: "*")
            #expect(undone["revision"] == revision, "\(undone.text)")
            let last = try await bench.send(
                "GET", "\(DraftBench.edits)?after=\(Int(revision)! - 1)")
            #expect(last["edits.0.undoes"] == undoes)
        }
        let more = try await bench.send("POST", "\(DraftBench.path)/undo", ifMatch: "*")
        #expect(more.code == "nothing-to-undo")
        #expect(try await bench.draft().document == SampleSite.index.document)
        // The redo of an edit that the former release had undone needs the one before it.
        #expect(try await bench.undo(1, revision: 5).code == "draft-edit-conflict")
        #expect(try await bench.undo(2, revision: 8)["undoes"] == "8")
        #expect(try await bench.undo(3, revision: 5)["undoes"] == "5")
        #expect(try await bench.draft().document.rooms[0].name == "Two")
    }

    @Test("are edited by turns with a process of today, and no edit is lost")
    func beside() async throws {
        let (bench, former) = try await edited()
        for round in 0..<3 {
            bench.bench.pass(seconds: 1)
            _ = try await bench.rename(10 + round, "New \(round)")
            // Until the draft is stored, the former process can't read it, and changes nothing.
            await #expect(throws: (any Error).self) {
                try await former.edit(Self.renamed("lost"), at: bench.bench.clock.now)
            }
            try await bench.store.storeDraft(of: DraftBench.site)
            #expect(try await former.draft() == bench.draft())
            bench.bench.pass(seconds: 1)
            try await former.edit(Self.renamed("Old \(round)"), at: bench.bench.clock.now)
            #expect(try await bench.draft().document.rooms[0].name == "Old \(round)")
        }
        let listed = try await bench.send("GET", "\(DraftBench.edits)?after=6")
        #expect(
            (0..<6).map { listed["edits.\($0).name"] ?? "" }
                == ["New 0", "Old 0", "New 1", "Old 1", "New 2", "Old 2"], "\(listed.text)")
        // An edit that a client of today bases on one before it conflicts with the former's.
        let late = try await bench.rename(20, "Mine", basedOn: 11)
        #expect(late["results.0.refused.code"] == "draft-edit-conflict")
        for _ in 0..<7 { _ = try await bench.send("POST", "\(DraftBench.path)/undo", ifMatch: "*") }
        #expect(try await bench.draft().document.rooms[0].name == "One")
    }

    @Test("count as gone where a former process made more edits than it keeps")
    func gap() async throws {
        let (bench, former) = try await edited()
        _ = try await bench.rename(1, "Today")
        try await bench.store.storeDraft(of: DraftBench.site)
        for number in 0..<60 {
            try await former.edit(Self.renamed("Old \(number)"), at: bench.bench.clock.now)
        }
        let gone = try await bench.send("GET", "\(DraftBench.edits)?after=7")
        #expect(gone.code == "draft-edits-gone", "\(gone.text)")
        let listed = try await bench.send("GET", DraftBench.edits)
        #expect(listed["edits.0.revision"] == "18" && listed["edits.49.revision"] == "67")
        #expect(try await bench.send("POST", "\(DraftBench.path)/undo", ifMatch: "*").status == 200)
        #expect(try await bench.draft().document.rooms[0].name == "Old 58")
    }

    @Test("go with their journal where a former process removes the site")
    func removed() async throws {
        let (bench, _) = try await edited()
        _ = try await bench.rename(1, "Today")
        try await bench.pool.query("DELETE FROM site_editor.drafts")
        for table in ["buildings", "floors", "rooms", "locations", "connections"] {
            try await bench.pool.query("DELETE FROM site_editor.\(table)")
        }
        try await bench.pool.query("DELETE FROM site_editor.sites")
        for table in DraftJournal.tables {
            #expect(try await bench.pool.query("SELECT FROM \(table)").isEmpty, "\(table)")
        }
        await bench.pool.close()
    }
}

@Suite(
    "Stored drafts",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DraftSnapshotTests {
    @Test("are replayed from the published version, and from each stored document")
    func replayed() async throws {
        let bench = try await DraftBench()
        for number in 1...4 {
            _ = try await bench.rename(number, "Name \(number)")
            let rows = try await bench.pool.query(
                "SELECT FROM site_editor.drafts WHERE document IS NOT NULL")
            #expect(rows.isEmpty, "an edit stores what it changed, and no document")
            #expect(try await bench.draft().document.rooms[0].name == "Name \(number)")
        }
        try await bench.store.storeDraft(of: DraftBench.site)
        _ = try await bench.undo(5)
        #expect(try await bench.draft().revision == 5)
        // A whole document as the next version is not stored twice, either.
        var other = SampleSite.index.document
        other.rooms.swapAt(0, 1)
        other.name = "Other"
        _ = try await bench.store.replace(
            DraftBench.site, with: other, expectedVersion: nil, by: "t", at: bench.bench.clock.now)
        #expect(try await bench.draft().document == other)
        let listed = try await bench.send("GET", "\(DraftBench.edits)?after=5")
        #expect(listed["edits.0.do"] == "replace" && listed["edits.1"] == nil)
        #expect(try await bench.send("POST", "\(DraftBench.path)/undo", ifMatch: "*").status == 200)
        let undone = try await bench.draft().document
        #expect(undone.name == "Sample" && undone.rooms[1].name == "Name 3")
    }

    @Test("of a first version begin with that version, also where it is replaced at once")
    func firstVersion() async throws {
        let bench = try await DraftBench()
        var other = SampleSite.index.document
        other.rooms.append(
            RoomRecord(
                id: RoomID("P"), floor: SampleSite.ground, name: "P", kind: "room", outline: [],
                isProposed: true))
        // The version lacks the proposed room, and the draft has it.
        _ = try await bench.store.replace(
            DraftBench.site, with: other, expectedVersion: nil, by: "t", at: bench.bench.clock.now)
        #expect(try await bench.draft().document == other)
        #expect(try await bench.undo(1, revision: 1)["undoes"] == "1")
        #expect(try await bench.draft().document == SampleSite.index.document)
    }

    @Test("keep the files that only the journal names")
    func files() async throws {
        let bench = try await DraftBench()
        let media = MediaStore(pool: bench.pool)
        let moment = bench.bench.clock.now
        let picture = try await media.keep([1], as: .png, for: DraftBench.site, at: moment)
            .reference
        let content = """
            {"place": {"room": "A"}, "title": "C", "pictures": [{"media": {"hash": \
            "\(picture.hash)", "type": "image/png", "bytes": 1}}]}
            """
        let made = try await bench.make([DraftBench.edit(1, "put", "contents", "c", content)])
        #expect(made["results.0.revision"] == "1", "\(made.text)")
        let unknown = try await bench.make([
            DraftBench.edit(
                2, "put", "contents", "d",
                content.replacing(picture.hash, with: String(repeating: "0", count: 64)))
        ])
        #expect(unknown["results.0.refused.code"] == "media-unknown", "\(unknown.text)")
        _ = try await bench.make([DraftBench.edit(3, "remove", "contents", "c")])
        try await bench.pool.query("UPDATE site_editor.drafts SET document = NULL, version = 1")
        let later = moment.advanced(byMicroseconds: 3 * MediaStore.graceMicroseconds)
        #expect(try await media.sweep(at: later) == 0)
        #expect(try await bench.undo(4)["undoes"] == "2")
        _ = try await bench.make([DraftBench.edit(5, "remove", "contents", "c")])
        try await bench.pool.query("UPDATE site_editor.drafts SET document = NULL, version = 1")
        #expect(try await media.sweep(at: later) == 0)
        try await bench.pool.query("DELETE FROM site_editor.draft_changes")
        #expect(try await media.sweep(at: later) == 1)
        await bench.pool.close()
    }
}
