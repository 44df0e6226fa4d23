import Events
import Geometry
import Postgres
import SampleSites
import SeededRandomness
import ServiceBench
import ServiceHost
import Site
import TestSupport
import Testing
import Wire

@testable import SiteEditor

@Suite(
    "Undoing edits of a draft",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DraftUndoTests {
    @Test("takes back the caller's own last edit, and leaves those of others")
    func own() async throws {
        let bench = try await DraftBench()
        let other = bench.bench.issue(.administratorOfSite, site: DraftBench.site)
        _ = try await bench.rename(1, "Aula")
        _ = try await bench.make(
            [DraftBench.edit(2, "patch", "rooms", "B", #"{"name": "Bar"}"#)], as: other)
        let undone = try await bench.undo(3)
        #expect(undone["revision"] == "3" && undone["undoes"] == "1", "\(undone.text)")
        #expect(try await bench.draft().document.rooms.prefix(2).map(\.name) == ["Room A", "Bar"])
        #expect(try await bench.undo(3)["revision"] == "3", "sent again")
        #expect(try await bench.undo(4).code == "nothing-to-undo")
        // The redo is the undo of the undo.
        let redone = try await bench.undo(5, revision: 3)
        #expect(redone["undoes"] == "3")
        #expect(try await bench.draft().document.rooms[0].name == "Aula")
        #expect(try await bench.undo(6)["undoes"] == "1")
        #expect(try await bench.undo(7, revision: 3).code == "nothing-to-undo")
        #expect(try await bench.draft().document.rooms[0].name == "Room A")
    }

    @Test("is refused where somebody changed the same member since, also back and forth")
    func conflict() async throws {
        let bench = try await DraftBench()
        _ = try await bench.rename(1, "Aula")
        for (number, name) in [(2, "Hall"), (3, "Aula")] {
            _ = try await bench.rename(number, name)
        }
        let undone = try await bench.undo(4, revision: 1)
        #expect(undone.status == 409 && undone.code == "draft-edit-conflict", "\(undone.text)")
        #expect(try await bench.undo(5)["undoes"] == "3")
        #expect(try await bench.undo(6)["undoes"] == "2")
        #expect(try await bench.undo(7)["undoes"] == "1")
        #expect(try await bench.draft().document == SampleSite.index.document)
    }

    @Test("brings back what a removal took with it, in its order")
    func cascade() async throws {
        let bench = try await DraftBench()
        let removed = try await bench.send(
            "DELETE", "\(DraftBench.path)/rooms/A?cascade=true", ifMatch: "*")
        #expect(removed.status == 200, "\(removed.text)")
        _ = try await bench.make([DraftBench.edit(2, "patch", "rooms", "B", #"{"name": "Bar"}"#)])
        #expect(try await bench.undo(3, revision: 1)["undoes"] == "1")
        var expected = SampleSite.index.document
        expected.rooms[1].name = "Bar"
        #expect(try await bench.draft().document == expected)
    }

    @Test("of an added room waits for those who named it")
    func named() async throws {
        let bench = try await DraftBench()
        _ = try await bench.make([
            DraftBench.edit(
                1, "put", "rooms", "E", #"{"floor": "ground", "name": "E", "kind": "room"}"#),
            DraftBench.edit(
                2, "put", "locations", "e", #"{"floor": "ground", "room": "E", "x": 1, "y": 1}"#),
        ])
        #expect(try await bench.undo(3, revision: 1).code == "still-named")
        #expect(try await bench.undo(4)["undoes"] == "2")
        #expect(try await bench.undo(5)["undoes"] == "1")
        #expect(try await bench.draft().document == SampleSite.index.document)
    }

    @Test("by POST undo takes back the last edit of anybody, through the same journal")
    func anybody() async throws {
        let bench = try await DraftBench()
        _ = try await bench.rename(1, "Aula", as: bench.administrator)
        let put = try await bench.send(
            "PUT", "\(DraftBench.path)/locations/door", as: bench.surveyor,
            #"{"floor": "ground", "room": "B", "x": 12, "y": 4}"#, ifMatch: #""draft-1""#)
        #expect(put.status == 201, "\(put.text)")
        for revision in 2...3 {
            let undone = try await bench.send(
                "POST", "\(DraftBench.path)/undo", ifMatch: #""draft-\#(revision)""#)
            #expect(undone["revision"] == String(revision + 1), "\(undone.text)")
        }
        #expect(try await bench.draft().document == SampleSite.index.document)
        let listed = try await bench.send("GET", "\(DraftBench.edits)?limit=10")
        #expect(listed["edits.1.do"] == "put" && listed["edits.1.name"] == nil)
        #expect(listed["edits.2.undoes"] == "2" && listed["edits.3.undoes"] == "1")
        #expect(try await bench.send("POST", "\(DraftBench.path)/undo", ifMatch: "*").status == 409)
    }

    @Test("of others is for administrators")
    func rights() async throws {
        let bench = try await DraftBench()
        _ = try await bench.make(
            [
                DraftBench.edit(
                    1, "put", "locations", "door",
                    #"{"floor": "ground", "room": "B", "x": 12, "y": 4}"#)
            ], as: bench.surveyor)
        _ = try await bench.make(
            [DraftBench.edit(2, "patch", "locations", "desk", #"{"name": "Desk"}"#)])
        let denied = try await bench.undo(3, revision: 2, as: bench.surveyor)
        #expect(denied.status == 403)
        #expect(try await bench.undo(4, as: bench.surveyor)["undoes"] == "1")
        #expect(try await bench.undo(5, revision: 3)["undoes"] == "3", "an administrator may")
    }

    @Test("is the same as never having made the edit", arguments: 0..<20)
    func model(seed: Int) async throws {
        let bench = try await DraftBench()
        var model = DraftModel(seed: seed, try await bench.draft().document)
        let authors = ["one", "two"].map { DraftAuthor.editor($0) }
        for step in 0..<60 {
            bench.bench.pass(seconds: 1)
            let moment = bench.bench.clock.now
            let before = try await bench.draft()
            let author = authors[model.pick(2)]
            if model.pick(3) > 0 {
                let change = model.randomEdit(step, of: before.document)
                // Some of these edits would add a fault, and are refused.
                let edited = try? await bench.store.edit(
                    DraftBench.site, expectedRevision: nil, by: author,
                    DraftNote(action: .put), at: moment
                ) { _ in change }
                if let edited, edited.isChanged { model.note(edited, by: author.id) }
            } else {
                await model.undo(bench, by: author, at: moment)
            }
            let draft = try await bench.draft()
            #expect(model.difference(from: draft.document) == nil, "seed \(seed), step \(step)")
            if model.pick(8) == 0 { try await bench.store.storeDraft(of: DraftBench.site) }
        }
        #expect(model.undoneCount > 0, "seed \(seed)")
        await bench.pool.close()
    }
}

/// A slow model of a draft: a table of all members of all records, and the edits that set them. It
/// is replayed from the beginning, without the undone edits.
private struct DraftModel {
    typealias Table = [String: String]

    private struct Edit {
        var revision: Int
        var by: String?
        var set: [String: String?]
        /// The edit that this one takes back or brings back; nil for one of its own.
        var root: Int?
        var isRedo = false
    }

    private var random: SeededRandom
    private let start: Table
    private var edits: [Edit] = []
    private var undone: Set<Int> = []
    private(set) var undoneCount = 0

    init(seed: Int, _ document: SiteDocument) {
        random = SeededRandom(seed: seed)
        start = Self.table(document)
    }

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// All members of all records, as text.
    private static func table(_ document: SiteDocument) -> Table {
        var table: Table = [:]
        func add<Record: SiteRecord>(_: Record.Type) {
            for record in document[keyPath: Record.records] {
                let name = "\(Record.kind.name)/\(record.idText)"
                table[name] = "is there"
                for field in Record.fields {
                    let value = field.value(record)
                    guard let names = value as? Translations else {
                        table["\(name)/\(field.name)"] = "\(value)"
                        continue
                    }
                    for (language, text) in names.byLanguage {
                        table["\(name)/\(field.name)/\(language)"] = text
                    }
                }
            }
        }
        for type in RecordKind.all { add(type) }
        for discard in document.surveyDiscards {
            table["discard/\(discard)"] = "is there"
        }
        table["name"] = document.name
        return table
    }

    /// A random edit that adds no fault.
    mutating func randomEdit(_ step: Int, of document: SiteDocument) -> SiteEdit {
        let room = document.rooms[pick(document.rooms.count)]
        switch pick(7) {
        case 0:
            var changed = room
            changed.name = "Name \(pick(3))"
            return .put(changed)
        case 1:
            var changed = room
            changed.kind = ["hall", "office"][pick(2)]
            changed.names.byLanguage[["cy", "de"][pick(2)]] = "Enw \(pick(3))"
            return .put(changed)
        case 2:
            return .put(
                LocationRecord(
                    id: LocationID("l\(pick(4))"), floor: room.floor, room: room.id,
                    point: [Double(pick(5)), Double(step)]))
        case 3:
            return document.locations.first.map { .remove($0.thing, isCascading: true) }
                ?? .linkLocations
        case 4: return .clear(room.thing)
        case 5:
            var renamed = document
            renamed.name = "Site \(pick(3))"
            return .rewrite(renamed)
        default:
            return .put(
                RoomRecord(
                    id: RoomID("r\(pick(3))"), floor: room.floor, name: "R \(step)", kind: "room",
                    outline: []))
        }
    }

    mutating func note(_ edited: SiteStore.Edited, by author: String?) {
        let (before, after) = (Self.table(edited.before), Self.table(edited.draft.document))
        var set: [String: String?] = [:]
        for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
            set[name] = .some(after[name])
        }
        edits.append(Edit(revision: edited.draft.revision, by: author, set: set))
    }

    /// Undoes a random edit, or brings one back, and notes whether that was done.
    mutating func undo(
        _ bench: DraftBench, by author: DraftAuthor, at moment: Timestamp
    ) async {
        guard !edits.isEmpty else { return }
        let edit = edits[pick(edits.count)]
        let done = try? await bench.store.undo(
            .revision(edit.revision), at: DraftBench.site, id: nil, by: author, moment)
        guard let done else { return }
        let root = edit.root ?? edit.revision
        let isRedo = edit.root != nil && !edit.isRedo
        if isRedo {
            #expect(undone.remove(root) != nil, "only what was undone is brought back")
        } else {
            #expect(undone.insert(root).inserted, "nothing is undone twice")
            undoneCount += 1
        }
        edits.append(
            Edit(
                revision: done.edited.draft.revision, by: author.id, set: [:], root: root,
                isRedo: isRedo))
    }

    /// The first member that differs from the model; nil where none does.
    func difference(from document: SiteDocument) -> String? {
        var expected = start
        for edit in edits where edit.root == nil && !undone.contains(edit.revision) {
            for (name, value) in edit.set { expected[name] = value }
        }
        let actual = Self.table(document)
        return Set(expected.keys).union(actual.keys).filter { expected[$0] != actual[$0] }.sorted()
            .first.map { "\($0): \(expected[$0] ?? "absent"), not \(actual[$0] ?? "absent")" }
    }
}
