import Events
import Geometry
import HTTP
import Postgres
import SampleSites
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "The journal of a draft",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DraftStreamTests {
    private static let clear = "\(DraftBench.path)/locations/desk/clear"

    /// A stream of a reader, from a revision on.
    private func stream(
        _ bench: DraftBench, after revision: Int, caller: String = "reader",
        as author: DraftAuthor = .editor("reader")
    ) throws -> DraftEditStream {
        try bench.hub.enter(DraftBench.site, caller: caller)
        return DraftEditStream(
            bench.hub, bench.store, DraftBench.site, author, caller, after: revision, atOnce: 10)
    }

    private func next(_ stream: DraftEditStream) async throws -> String {
        String(decoding: try #require(try await stream.next()), as: UTF8.self)
    }

    @Test("has every edit, whichever way it came, with who made it")
    func everyWay() async throws {
        let bench = try await DraftBench()
        _ = try await bench.rename(1, "Aula")
        _ = try await bench.send(
            "PATCH", "\(DraftBench.path)/rooms/B", #"{"name": "Bar"}"#, ifMatch: "*")
        _ = try await bench.send("POST", Self.clear, as: bench.surveyor, ifMatch: "*")
        _ = try await bench.send("POST", "\(DraftBench.path)/link-locations", ifMatch: "*")
        _ = try await bench.send(
            "POST", "\(DraftBench.path)/imports?format=rooms", "id,floor,name\nA,ground,Assembly\n",
            ifMatch: "*")
        _ = try await bench.send("DELETE", "\(DraftBench.path)/locations/desk", ifMatch: "*")
        _ = try await bench.undo(2)
        let listed = try await bench.send("GET", Self.list)
        let words = (0..<6).map { listed["edits.\($0).do"] ?? "" }
        #expect(words == ["patch", "patch", "clear", "import", "remove", "undo"], "\(listed.text)")
        #expect(listed["edits.2.kind"] == "locations" && listed["edits.2.record"] == "desk")
        #expect(listed["edits.2.changed"] == #"[{"kind":"site"}]"#)
        #expect(listed["edits.3.kind"] == "site" && listed["edits.3.changedCount"] == "1")
        #expect(listed["edits.3.changed.0.record"] == "A")
        #expect(listed["edits.0.name"] == "Aula" && listed["next"] == "null")
        let page = try await bench.send("GET", "\(Self.list)?limit=2&after=1")
        #expect(page["edits.0.revision"] == "2" && page["next"] == "3")
        #expect(page.headers["cache-control"] == "no-store", "it names people")
    }

    private static let list = DraftBench.edits

    @Test("names people as they are called now, and those who are gone as somebody")
    func names() async throws {
        let bench = try await DraftBench()
        let account = AccountStore.newID(at: bench.bench.clock.now)
        let row = AccountRow(
            id: account, signIn: "anna", name: "Anna", password: nil, issuer: nil,
            grants: [], madeAt: bench.bench.clock.now, madeBy: "t")
        try await bench.pool.withTransaction {
            try AccountStore.insert(row, connection: $0)
        }
        let anna = DraftAuthor.editor("account/\(account)")
        _ = try await bench.store.edit(
            DraftBench.site, expectedRevision: nil, by: anna, DraftNote(action: .link),
            at: bench.bench.clock.now
        ) { document in
            var renamed = document
            renamed.name = "S"
            return .rewrite(renamed)
        }
        func name() async throws -> String? {
            try await bench.send("GET", Self.list)["edits.0.by.name"]
        }
        #expect(try await name() == "Anna")
        try await bench.pool.query("UPDATE site_editor_names.accounts SET name = 'Anna B.'")
        #expect(try await name() == "Anna B.")
        try await bench.pool.query("DELETE FROM site_editor_names.accounts")
        #expect(try await name() == "somebody")
    }

    @Test("is followed from any revision, and by many")
    func followed() async throws {
        let bench = try await DraftBench()
        let (first, late) = (try stream(bench, after: 0), try stream(bench, after: 1))
        #expect(try await next(first) == ": keep-alive\n\n")
        #expect(try await next(late) == ": keep-alive\n\n")
        async let one = next(first)
        _ = try await bench.rename(1, "Aula")
        #expect(try await one.hasPrefix("id: 1\ndata: {\"revision\":1,"))
        _ = try await bench.rename(2, "Hall")
        _ = try await bench.rename(3, "Room")
        let missed = try await next(late)
        #expect(missed.contains("id: 2\n") && missed.contains("id: 3\n"), "\(missed)")
        #expect(!missed.contains("id: 1\n"))
    }

    @Test("shows the edits of another process")
    func otherProcess() async throws {
        let bench = try await DraftBench()
        let stream = try stream(bench, after: 0)
        _ = try await next(stream)
        async let event = next(stream)
        _ = try await bench.another().edit(
            DraftBench.site, expectedRevision: nil, by: .editor("t"),
            DraftNote(action: .clear, thing: .record(.room(RoomID("A")))),
            at: bench.bench.clock.now
        ) { _ in .clear(.room(RoomID("A"))) }
        try await bench.hub.look()
        #expect(try await event.contains(#""do":"clear","kind":"rooms","record":"A""#))
    }

    @Test("ends for its followers with the site")
    func ends() async throws {
        let bench = try await DraftBench()
        let stream = try stream(bench, after: 0)
        _ = try await next(stream)
        async let end = stream.next()
        try await bench.store.remove(DraftBench.site, by: "t", at: bench.bench.clock.now)
        try await bench.hub.look()
        #expect(try await end == nil)
        for table in DraftJournal.tables {
            #expect(try await bench.pool.query("SELECT FROM \(table)").isEmpty)
        }
    }

    @Test("is followed by a limited number of clients, and counts them")
    func limits() async throws {
        let bench = try await DraftBench()
        var streams: [DraftEditStream] = []
        for _ in 0..<DraftEditHub.mostStreamsOfOne { streams.append(try stream(bench, after: 0)) }
        let refused = #expect(throws: Problem.self) { try stream(bench, after: 0) }
        #expect(refused?.status == 429 && refused?.code == "too-many-streams-of-token")
        _ = try stream(bench, after: 0, caller: "other")
        streams.removeLast()
        _ = try stream(bench, after: 0)
        for other in 0..<DraftEditHub.mostStreams {
            guard let one = try? stream(bench, after: 0, caller: "c\(other)") else { break }
            streams.append(one)
        }
        let full = #expect(throws: Problem.self) { try stream(bench, after: 0, caller: "new") }
        #expect(full?.status == 503)
        streams = []
        #expect(bench.hub.count == 0)
    }

    @Test("refuses a stream from a revision that the draft does not have")
    func wrongPlace() async throws {
        let bench = try await DraftBench()
        func open(_ query: String) async throws -> Answer {
            try await bench.send("GET", "\(Self.list)/stream\(query)")
        }
        #expect(try await open("?after=7").code == "draft-edits-gone")
        #expect(try await open("?after=x").code == "cursor-malformed")
        #expect(bench.hub.count == 0)
        let visitor = bench.bench.issue(.visitor, site: DraftBench.site)
        #expect(
            try await bench.send("GET", "\(Self.list)/stream", as: visitor).status == 403)
    }

    @Test("keeps 10,000 edits and their undoing, and never loses the newest")
    func trimmed() async throws {
        let bench = try await DraftBench()
        _ = try await bench.rename(1, "Aula")
        // As many edits as are kept, without making each.
        try await bench.pool.query(
            """
            INSERT INTO site_editor.draft_edits (site, revision, id, number, size, edited_at,
                action, kind, record, changed)
            SELECT site, next, gen_random_uuid(), next, next, edited_at, action, kind, record, 0
            FROM site_editor.draft_edits, generate_series(2, 10098) AS next
            """)
        try await bench.pool.query(
            "UPDATE site_editor.drafts SET revision = 10098 WHERE revision = 1")
        try await bench.pool.query(
            "UPDATE site_editor.drafts SET document = $1, version = NULL",
            [.bytes(SampleSite.index.document.json)])
        let store = bench.another()
        for name in ["One", "Two"] {
            let edited = try await store.edit(
                DraftBench.site, expectedRevision: nil, by: .editor("t"), DraftNote(action: .patch),
                at: bench.bench.clock.now
            ) { document in
                var renamed = document
                renamed.name = name
                return .rewrite(renamed)
            }
            #expect(edited.isChanged)
        }
        let bounds = try await bench.pool.withTransaction {
            try DraftJournal.bounds(of: DraftBench.site, connection: $0)
        }
        #expect(bounds == 100...10_100)
        let changes: Int = try await bench.pool.query(
            "SELECT count(*) AS count FROM site_editor.draft_changes")[0]["count"]
        #expect(changes == 2)
    }
}
