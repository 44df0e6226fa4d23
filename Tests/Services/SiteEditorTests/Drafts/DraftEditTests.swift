import Events
import Geometry
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
    "Edits of a draft",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DraftEditTests {
    @Test("are made one by one, and a fault names its record")
    func oneByOne() async throws {
        let bench = try await DraftBench()
        let made = try await bench.make([
            DraftBench.edit(1, "patch", "rooms", "A", #"{"name": "Aula"}"#),
            DraftBench.edit(2, "patch", "rooms", "B", #"{"floor": "cellar"}"#),
            DraftBench.edit(
                3, "put", "locations", "door",
                #"{"floor": "ground", "room": "B", "x": 12, "y": 4}"#),
            DraftBench.edit(4, "remove", "rooms", "A"),
            DraftBench.edit(5, "remove", "locations", "desk", rest: #", "cascade": true"#),
            DraftBench.edit(6, "patch", "rooms", "none", #"{"name": "x"}"#),
            DraftBench.edit(7, "patch", "site", nil, #"{"name": "Sample house"}"#),
            DraftBench.edit(8, "patch", "rooms", "A", #"{"colour": "red"}"#),
        ])
        #expect(made.status == 200, "\(made.text)")
        #expect(made["revision"] == "4" && made.headers["etag"] == #""draft-4""#)
        #expect(made["results.0.revision"] == "1" && made["results.2.revision"] == "2")
        #expect(made["results.1.refused.code"] == "site-invalid")
        #expect(made["results.1.refused.kind"] == "rooms")
        #expect(made["results.1.refused.record"] == "B")
        #expect(made["results.1.refused.detail"]?.contains("no floor cellar") == true)
        #expect(made["results.3.refused.code"] == "still-named")
        #expect(made["results.3.refused.dependents.0.id"] == "desk")
        #expect(made["results.4.revision"] == "3")
        #expect(made["results.5.refused.code"] == "thing-unknown")
        #expect(made["results.6.revision"] == "4")
        #expect(made["results.7.refused.code"] == "field-unknown")
        let draft = try await bench.draft()
        #expect(draft.document.rooms[0].name == "Aula" && draft.document.name == "Sample house")
        #expect(draft.document.locations.map(\.id.text) == ["door"])
        #expect(draft.document.surveyDiscards.map(\.locations) == [[LocationID("desk")]])
    }

    @Test("are all made or none, where they are sent together")
    func together() async throws {
        let bench = try await DraftBench()
        let edits = [
            DraftBench.edit(1, "patch", "rooms", "A", #"{"name": "Aula"}"#),
            DraftBench.edit(2, "patch", "rooms", "B", #"{"floor": "cellar"}"#),
        ]
        let refused = try await bench.make(edits, together: true)
        #expect(refused["revision"] == "0")
        #expect(refused["results.0.refused.code"] == "draft-edit-withheld")
        #expect(refused["results.1.refused.code"] == "site-invalid")
        #expect(try await bench.draft().revision == 0)
        // The withheld one may be sent again.
        let made = try await bench.make([edits[0]], together: true)
        #expect(made["results.0.revision"] == "1")
    }

    @Test("that are sent again are made once, and give their first result")
    func again() async throws {
        let bench = try await DraftBench()
        for _ in 0..<3 {
            let made = try await bench.rename(1, "Aula")
            #expect(made["results.0.revision"] == "1" && made["revision"] == "1")
        }
        // An edit without an effect has none later, either.
        #expect(try await bench.rename(2, "Aula")["results.0.revision"] == "1")
        _ = try await bench.rename(3, "Hall")
        #expect(try await bench.rename(2, "Aula")["results.0.revision"] == "1")
        #expect(try await bench.rename(1, "Aula")["results.0.revision"] == "1")
        #expect(try await bench.draft().document.rooms[0].name == "Hall")
        // Twice in one request.
        let twice = DraftBench.edit(4, "patch", "rooms", "A", #"{"name": "Room"}"#)
        let made = try await bench.make([twice, twice])
        #expect(made["results.0.revision"] == "3" && made["results.1.revision"] == "3")
        let other = try await bench.make([
            DraftBench.edit(4, "patch", "rooms", "B", #"{"name": "x"}"#)
        ])
        #expect(other["results.0.refused.code"] == "draft-edit-id-conflict")
        let another = bench.bench.issue(.administratorOfSite, site: DraftBench.site)
        let theirs = try await bench.rename(4, "Room", as: another)
        #expect(theirs["results.0.refused.code"] == "draft-edit-id-conflict")
    }

    @Test("conflict only where others touched the same members since they were read")
    func conflicts() async throws {
        let bench = try await DraftBench()
        let other = bench.bench.issue(.administratorOfSite, site: DraftBench.site)
        func patch(_ number: Int, _ value: String, basedOn: Int?) async throws -> Answer {
            try await bench.make(
                [DraftBench.edit(number, "patch", "rooms", "A", value, basedOn: basedOn)], as: other
            )
        }
        _ = try await bench.rename(1, "Aula", basedOn: 0)
        let late = try await patch(2, #"{"name": "Hall"}"#, basedOn: 0)
        #expect(late["results.0.refused.code"] == "draft-edit-conflict", "\(late.text)")
        #expect(late["results.0.refused.theirs.name"] == "Aula")
        #expect(late["results.0.refused.by.name"] == "somebody")
        #expect(late["results.0.refused.at"]?.hasPrefix("2026-11-22") == true)
        // Another member of the same record, and the same value.
        #expect(try await patch(3, #"{"kind": "hall"}"#, basedOn: 0)["results.0.revision"] == "2")
        #expect(try await patch(4, #"{"name": "Aula"}"#, basedOn: 0)["results.0.revision"] == "2")
        let german = #"{"names": {"de": "Halle"}}"#
        #expect(try await patch(5, german, basedOn: 2)["results.0.revision"] == "3")
        let welsh = #"{"names": {"cy": "Neuadd"}}"#
        #expect(try await patch(6, welsh, basedOn: 2)["results.0.revision"] == "4")
        let none = try await patch(7, #"{"names": null}"#, basedOn: 2)
        #expect(none["results.0.refused.code"] == "draft-edit-conflict")
        // The whole record, and without a word of what was read.
        let whole = #"{"floor": "ground", "name": "Z", "kind": "room"}"#
        for word in ["put", "remove"] {
            let answer = try await bench.make(
                [
                    DraftBench.edit(
                        8, word, "rooms", "A", word == "put" ? whole : nil, basedOn: 3,
                        rest: word == "put" ? "" : #", "cascade": true"#)
                ])
            #expect(answer["results.0.refused.code"] == "draft-edit-conflict", "\(word)")
        }
        #expect(try await patch(9, #"{"name": "Hall"}"#, basedOn: nil)["revision"] == "5")
        let room = try await bench.draft().document.rooms[0]
        #expect(room.name == "Hall" && room.kind == "hall")
        #expect(room.names.byLanguage == ["de": "Halle", "cy": "Neuadd"])
    }

    @Test("of a removed record conflict, and a second removal is none")
    func removed() async throws {
        let bench = try await DraftBench()
        let remove = { (number: Int) in
            DraftBench.edit(number, "remove", "locations", "desk", basedOn: 0)
        }
        #expect(try await bench.make([remove(1)])["revision"] == "1")
        let late = try await bench.make([
            DraftBench.edit(2, "patch", "locations", "desk", #"{"name": "Desk"}"#, basedOn: 0),
            remove(3),
        ])
        #expect(late["results.0.refused.code"] == "draft-edit-conflict", "\(late.text)")
        #expect(late["results.0.refused.theirs"] == "null")
        #expect(late["results.1.revision"] == "1")
    }

    @Test("of one sender do not conflict with each other within a request")
    func ownEdits() async throws {
        let bench = try await DraftBench()
        let edits = [
            DraftBench.edit(1, "patch", "rooms", "A", #"{"name": "One"}"#, basedOn: 0),
            DraftBench.edit(2, "patch", "rooms", "A", #"{"name": "Two"}"#, basedOn: 0),
        ]
        #expect(try await bench.make([edits[0]])["revision"] == "1")
        // The first answer was lost.
        let made = try await bench.make(edits)
        #expect(made["results.0.revision"] == "1" && made["results.1.revision"] == "2")
    }

    @Test("are based on revisions that the journal has")
    func bases() async throws {
        let bench = try await DraftBench()
        let ahead = try await bench.rename(1, "Aula", basedOn: 7)
        #expect(ahead["results.0.refused.code"] == "draft-edits-gone")
        for number in 2...5 { _ = try await bench.rename(number, "Name \(number)") }
        try await bench.pool.query("DELETE FROM site_editor.draft_edits WHERE revision < 3")
        let old = try await bench.rename(6, "Aula", basedOn: 1)
        #expect(old["results.0.refused.code"] == "draft-edits-gone")
        let read = try await bench.send("GET", "\(DraftBench.edits)?after=1")
        #expect(read.status == 410 && read.code == "draft-edits-gone")
        #expect(try await bench.send("GET", "\(DraftBench.edits)?after=2").status == 200)
        let undone = try await bench.undo(9, revision: 1)
        #expect(undone.status == 410)
    }

    @Test("are at most 500 in a request, and each has what it needs")
    func malformed() async throws {
        let bench = try await DraftBench()
        let edit = DraftBench.edit(1, "patch", "rooms", "A", #"{"name": "x"}"#)
        #expect(
            try await bench.make(Array(repeating: edit, count: 501)).code
                == "draft-edits-out-of-range")
        #expect(try await bench.make([]).code == "draft-edits-out-of-range")
        let bodies = [
            "[]": "not-an-object", "{}": "field-missing",
            #"{"edits": [1]}"#: "field-wrong-type",
            #"{"edits": [{"id": "x", "do": "put", "kind": "rooms"}]}"#: "id-malformed",
            #"{"edits": [{"id": "\#(DraftBench.id(1))", "do": "paint", "kind": "rooms"}]}"#:
                "field-out-of-range",
            #"{"edits": [\#(DraftBench.edit(1, "put", "sheds", "a", "{}"))]}"#:
                "field-out-of-range",
            #"{"edits": [\#(DraftBench.edit(1, "put", "site", nil, "{}"))]}"#: "field-out-of-range",
            #"{"edits": [\#(DraftBench.edit(1, "put", "rooms", "a b", "{}"))]}"#:
                "identifier-malformed",
            #"{"edits": [\#(DraftBench.edit(1, "put", "rooms", "a", "3"))]}"#: "field-wrong-type",
            #"{"edits": [\#(edit)], "altogether": true}"#: "field-unknown",
        ]
        for (body, code) in bodies {
            let answer = try await bench.send("POST", DraftBench.edits, body)
            #expect(answer.code == code, "\(body): \(answer.text)")
        }
        #expect(try await bench.draft().revision == 0)
        #expect(try await bench.send("GET", "\(DraftBench.edits)?after=x").status == 400)
    }

    @Test("in great number go in turns, and all arrive")
    func many() async throws {
        let bench = try await DraftBench()
        let edits = (1...130).map { number in
            DraftBench.edit(
                number, "put", "locations", "l\(number)",
                #"{"floor": "ground", "room": "A", "x": \#(number % 10), "y": 4}"#, basedOn: 0)
        }
        let made = try await bench.make(edits)
        #expect(made["revision"] == "130" && made["results.129.revision"] == "130")
        #expect(try await bench.draft().document.locations.count == 131)
    }
}
