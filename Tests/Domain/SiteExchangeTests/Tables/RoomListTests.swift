import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Merge of lists of rooms") struct RoomListTests {
    private static let house = BuildingID("house")
    private static let low = FloorID("g")
    private static let high = FloorID("1")

    private static func room(_ id: String, _ floor: FloorID, _ name: String) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: floor, name: name, kind: "room",
            outline: [[0, 0], [4, 0], [4, 3], [0, 3]])
    }

    private static let site = SiteDocument(
        name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
        buildings: [BuildingRecord(id: house, name: "Main house", timeZone: "Etc/UTC")],
        floors: [
            FloorRecord(id: low, building: house, ordinal: 0, level: "G"),
            FloorRecord(id: high, building: house, ordinal: 1, level: "1"),
        ],
        rooms: [
            room("r1", low, "G.01"), room("r2", low, "G.02 Store"), room("1.01", high, "Studio"),
            room("way", low, "Corridor 1"),
        ],
        connections: [
            ConnectionRecord(
                id: ConnectionID("door"), kind: .door,
                stops: [
                    ConnectionStop(floor: low, room: RoomID("r1"), point: [4, 1]),
                    ConnectionStop(floor: low, room: RoomID("r2"), point: [4, 1]),
                ])
        ])

    private func merged(
        _ text: String, _ options: RoomListOptions = .init(), into site: SiteDocument = site
    ) throws -> ImportedSite {
        let list = try RoomList(DelimitedTable(text), chosen: options.columns)
        var merge = RoomListMerge(list, options, into: site)
        return try merge.merged().checked(after: site)
    }

    private func notes(_ imported: ImportedSite, _ what: String) -> [String] {
        imported.report.notes.filter { $0.what.rawValue == what }.map(\.id)
    }

    @Test("Rooms are found by their numbers, get their names, and new ones appear")
    func names() throws {
        let imported = try merged(
            """
            Raum-Nr.,Bezeichnung,Etage,m²
            G.01,Library,G,20
            g.02,Archive,G,9
            1.01,Music studio,1,30
            1.02,WC women,1,4
            ,Sum,,63

            """)
        let rooms = imported.document.rooms
        #expect(rooms.map(\.id.text) == ["r1", "r2", "1.01", "way", "1.02"])
        #expect(
            rooms.map(\.name) == [
                "G.01 Library", "g.02 Archive", "Music studio", "Corridor 1", "WC women",
            ])
        #expect(rooms[4].floor == Self.high && rooms[4].outline.isEmpty)
        #expect(rooms[4].kind == "toilet")
        #expect(rooms[0].outline == Self.site.rooms[0].outline)
        #expect(notes(imported, "appeared") == ["1.02"])
        #expect(notes(imported, "renamed") == ["r1", "r2", "1.01"])
        #expect(imported.report.counts["linesWithoutNumber"] == 1)
        let again = try merged(
            "number,name,floor\nG.01,Library,G\ng.02,Archive,G\n1.01,Music studio,1\n"
                + "1.02,WC women,1\n",
            into: imported.document)
        #expect(again.document == imported.document)
    }

    @Test("Nothing is removed without a yes, and with it the doors go, too")
    func vanished() throws {
        let list = "number,name,floor\nG.01,Library,G\n1.01,Studio,1\n"
        let kept = try merged(list)
        #expect(notes(kept, "vanished") == ["r2", "way"])
        #expect(kept.document.rooms.count == 4)
        let former = try RoomList(DelimitedTable("number\nG.01\nG.02\n"))
        let next = try merged(list, .init(former: former))
        #expect(notes(next, "vanished") == ["r2"])
        let gone = try merged(list, .init(former: former, removesVanished: true))
        #expect(gone.document.rooms.map(\.id.text) == ["r1", "1.01", "way"])
        #expect(gone.document.connections.isEmpty)
    }

    @Test("A room on another floor is told, and moves only with a yes")
    func moved() throws {
        let list = "number,name,floor\nG.01,,1\nG.02,,G\n"
        let kept = try merged(list)
        #expect(notes(kept, "moved") == ["r1"])
        #expect(kept.document.rooms[0].floor == Self.low)
        let moved = try merged(list, .init(movesRooms: true))
        #expect(moved.document.rooms[0].floor == Self.high)
        #expect(moved.document.rooms[0].outline.isEmpty)
        #expect(moved.document.connections.isEmpty)
    }

    @Test(
        "Wrong lists are refused with line and column",
        arguments: [
            (
                "name,floor\na,G\n",
                "line 1: choose the column of room numbers; there are name, floor"
            ),
            ("number,floor\nG.01,7\n", "line 2: column floor: there is no floor 7"),
            ("number,building\nG.01,Barn\n", "line 2: column building: there is no building Barn"),
            ("number\nG.01\nG.01\n", "line 3: column number: room G.01 stands in line 2, too"),
            ("number\n9.99\n", "line 2: room 9.99 is new, and its floor is not stated"),
        ])
    func wrong(text: String, reason: String) {
        #expect {
            try merged(text)
        } throws: { error in
            "\(error)".contains(reason)
        }
    }

    @Test("Columns are chosen by their headers")
    func columns() throws {
        var options = RoomListOptions()
        options.columns = [.number: "Code", .name: "Title"]
        let imported = try merged("Name,Code,Title\nx,G.01,Library\n", options)
        #expect(imported.document.rooms[0].name == "G.01 Library")
        options.columns = [.number: "Kode"]
        #expect(throws: (any Error).self) { try merged("Name,Code\nx,G.01\n", options) }
        let facts = FileFacts(try DelimitedTable("Code,Title\n"), .init())
        #expect(facts.needs == [.columns] && facts.header == ["Code", "Title"])
    }
}
