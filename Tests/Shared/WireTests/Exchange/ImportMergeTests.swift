import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("ImportMerge") struct ImportMergeTests {
    private func edited(_ site: SiteDocument, _ seed: Int, _ author: String) -> SiteDocument {
        var edits = RandomEdits(site, seed: seed, author: author)
        edits.make(1 + seed % 9)
        return edits.document
    }

    @Test("The same file again changes nothing", arguments: 0..<60)
    func sameFile(seed: Int) {
        let base = RandomSite(seed: seed).document
        let people = edited(base, seed, "people")
        let merge = ImportMerge(base: base, imported: base, current: people)
        #expect(merge.document == people)
        #expect(merge.report == MergeReport())
    }

    @Test("A changed file counts where people changed nothing", arguments: 0..<60)
    func changedFile(seed: Int) {
        let base = RandomSite(seed: seed).document
        let file = edited(base, seed + 1_000, "file")
        let merge = ImportMerge(base: base, imported: file, current: base)
        #expect(merge.document.inOrderOfIDs == file.inOrderOfIDs)
        #expect(merge.report.conflicts.isEmpty)
        #expect(merge.report.counts.isEmpty == (file == base))
    }

    @Test(
        "The file's and people's edits are merged into a valid site, and people's are kept",
        arguments: 0..<200)
    func both(seed: Int) {
        let base = RandomSite(seed: seed).document
        let file = edited(base, seed + 1_000, "file")
        let people = edited(base, seed + 2_000, "people")
        #expect(SiteValidation.faults(in: file).isEmpty)
        let merge = ImportMerge(base: base, imported: file, current: people)
        #expect(SiteValidation.faults(in: merge.document).isEmpty)
        let before = Dictionary(uniqueKeysWithValues: base.rooms.map { ($0.id, $0) })
        let theirs = Dictionary(uniqueKeysWithValues: file.rooms.map { ($0.id, $0) })
        let after = Dictionary(uniqueKeysWithValues: merge.document.rooms.map { ($0.id, $0) })
        for room in people.rooms {
            guard let old = before[room.id] else {
                #expect(after[room.id] == room)
                continue
            }
            // Compares field by field, slowly.
            if let merged = after[room.id] {
                let inFile = theirs[room.id] ?? old
                #expect(merged.name == (room.name != old.name ? room.name : inFile.name))
                #expect(
                    merged.accessible
                        == (room.accessible != old.accessible ? room.accessible : inFile.accessible)
                )
                #expect(
                    merged.outline == (room.outline != old.outline ? room.outline : inFile.outline))
            } else {
                #expect(room == old && theirs[room.id] == nil)
            }
        }
        // A second merge of the same file changes nothing.
        let again = ImportMerge(base: file, imported: file, current: merge.document)
        #expect(again.document == merge.document)
    }

    @Test("A field that both changed stays as people have it, and is listed with both values")
    func conflict() throws {
        let base = RandomSite(seed: 3).document
        var (file, people) = (base, base)
        file.rooms[0].name = "Lab"
        people.rooms[0].name = "Studio"
        file.rooms[0].kind = "laboratory"
        people.rooms[1].names.byLanguage["cy"] = "Stiwdio"
        file.rooms[1].names.byLanguage["de"] = "Atelier"
        let merge = ImportMerge(base: base, imported: file, current: people)
        #expect(merge.document.rooms[0].name == "Studio")
        #expect(merge.document.rooms[0].kind == "laboratory")
        #expect(merge.document.rooms[1].names.byLanguage["cy"] == "Stiwdio")
        #expect(merge.document.rooms[1].names.byLanguage["de"] == "Atelier")
        let room = base.rooms[0].id.text
        #expect(
            merge.report.conflicts == [
                MergeConflict(
                    reason: .bothChanged, kind: "room", id: room, field: "name", inFile: "Lab",
                    kept: "Studio")
            ])
        #expect(merge.report.counts["room"]?.changed == 2)
    }

    @Test("A fact of the file is left out where people made its connection one of another kind")
    func unfittingFact() {
        var base = RandomSite(seed: 3).document
        base.connections = [
            ConnectionRecord(
                id: ConnectionID("way"), kind: .walk,
                stops: [
                    ConnectionStop(floor: nil, point: [0, 0]),
                    ConnectionStop(floor: nil, point: [9, 0]),
                ])
        ]
        var (file, people) = (base, base)
        file.connections[0].handrail = .left
        people.connections[0].kind = .door
        let merge = ImportMerge(base: base, imported: file, current: people)
        #expect(merge.document == people)
        #expect(
            merge.report.conflicts == [
                MergeConflict(
                    reason: .bothChanged, kind: "connection", id: "way", field: "handrail")
            ])
    }

    @Test("A record that the file drops is removed, unless people changed or named it")
    func removal() throws {
        let floor = FloorID("f")
        func site(rooms: [String], at room: String? = nil) -> SiteDocument {
            SiteDocument(
                name: "S", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
                buildings: [BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Etc/UTC")],
                floors: [FloorRecord(id: floor, building: BuildingID("b"), ordinal: 0, level: "0")],
                rooms: rooms.map {
                    RoomRecord(id: RoomID($0), floor: floor, name: $0, kind: "room", outline: [])
                },
                locations: room.map {
                    [
                        LocationRecord(
                            id: LocationID("l"), floor: floor, room: RoomID($0), point: [0, 0])
                    ]
                } ?? [])
        }
        let base = site(rooms: ["free", "edited", "named"])
        var people = site(rooms: ["free", "edited", "named"], at: "named")
        people.rooms[1].name = "Edited"
        let merge = ImportMerge(base: base, imported: site(rooms: []), current: people)
        #expect(Set(merge.document.rooms.map(\.id.text)) == ["edited", "named"])
        let reasons = merge.report.conflicts.map { "\($0.id) \($0.reason.rawValue)" }
        #expect(Set(reasons) == ["edited removed-in-file", "named still-named"])
        // A room that people removed does not come back, even if the file adds a field to it.
        let file = site(rooms: ["free", "edited", "named"], at: "free")
        let without = site(rooms: ["edited", "named"])
        let other = ImportMerge(base: base, imported: file, current: without)
        #expect(other.document == without)
        #expect(other.report.conflicts.map(\.reason) == [.namesRemoved])
    }
}
