import Events
import Geometry
import Site
import SiteExchange
import Testing
import Wire

@Suite("IMDF of a real campus") struct IMDFPolytechTests {
    @Test("Counts are those of the data set's README, and nothing is left out")
    func counts() throws {
        guard let archive = try Polytech.archive() else { return }
        let imported = try IMDFImport().site(from: archive)
        let counts = imported.report.counts
        #expect(counts["buildings"] == 80)
        #expect(counts["rooms"] == 443)
        #expect(counts["door"] == 472)
        #expect(counts["navPath"] == 2_726)
        #expect(counts["floors"] == 8)
        // One lift over five levels; stairs from the paths, and five stairs above each other.
        #expect(counts["lift"] == 1)
        #expect(counts["stairs"] == 40)
        let lift = imported.document.connections.first { $0.kind == .lift }
        #expect(lift?.stops.count == 5)
        let notes = Set(imported.report.notes.map(\.what.rawValue))
        #expect(notes == ["one-sided-neighbour", "guessed-connection"])
    }

    @Test("Doors join the rooms on their two sides") func doors() throws {
        guard let archive = try Polytech.archive() else { return }
        let document = try IMDFImport().site(from: archive).document
        let kinds = Dictionary(
            uniqueKeysWithValues: document.rooms.map { ($0.id.text, $0.kind) })
        let doors = document.connections.filter { $0.kind == .door }
        let joined = doors.filter { Set($0.stops.compactMap(\.room)).count == 2 }
        #expect(joined.count >= 467)
        // A property of the file names the kind of room to which each opening belongs.
        for opening in archive.features("opening") {
            let door = try #require(doors.first { $0.id.text == opening.id })
            let category = try #require(opening["unit_categoty"].text)
            let rooms = archive.features("unit").filter { unit in
                door.stops.contains { $0.room?.text == unit.id }
            }
            #expect(rooms.contains { $0["category"].text == category })
            #expect(door.stops.allSatisfy { $0.room == nil || kinds[$0.room?.text ?? ""] != nil })
        }
    }

    @Test("Names are kept in their languages") func names() throws {
        guard let archive = try Polytech.archive() else { return }
        let document = try IMDFImport().site(from: archive).document
        #expect(document.names.byLanguage["ru"]?.hasPrefix("Санкт-Петербург") == true)
        let room = try #require(document.rooms.first { $0.name == "Classroom 126" })
        #expect(room.names.byLanguage == ["ru": "Кабинет 126"])
        let building = try #require(
            document.buildings.first { $0.id.text == "5f4874a1-38e7-43ad-b8b0-23e375d9208e" })
        #expect(!building.name.isEmpty)
        #expect(building.outline.corners.count > 20)
    }
}
