import Events
import Geometry
import SeededRandomness
import Site
import SiteExchange
import Testing

@Suite("Tables of rooms and access points") struct TableTests {
    @Test("Fields come back, whatever they contain", arguments: 0..<100)
    func quoting(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let pieces = [
            "a", "\"", ",", "\r\n", "\n", " ", "ö", "", "'", "\"\"", "5", "=", "-", "\t", "@", ";",
        ]
        func field() -> String {
            (0..<Int.random(in: 0...5, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        let rows = (0..<Int.random(in: 0...6, using: &random)).map { _ in
            ["x", field(), field()]
        }
        let table = DelimitedTable(
            header: ["id", "a b", "ü,"], rows: rows.map { .init(line: 1, fields: $0) })
        let back = try DelimitedTable(table.text)
        #expect(back.header == table.header)
        #expect(back.rows.map(\.fields) == rows)
    }

    @Test("Nor does a part after a semicolon, which separates fields in some spreadsheets")
    func semicolons() throws {
        let table = DelimitedTable(
            header: ["name"], rows: [.init(line: 2, fields: ["Lab;=1+1;-5;'@a"])])
        #expect(table.text == "name\r\nLab;'=1+1;-5;''@a\r\n")
        #expect(try DelimitedTable(table.text).rows.map(\.fields) == [["Lab;=1+1;-5;'@a"]])
    }

    @Test(
        "No field begins a formula in a spreadsheet",
        arguments: [
            "=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1",
            "－1", "＠a", "=", "-", "--5", "'=1", "''=1", "=HYPERLINK(\"https://x\")", "-1e",
        ])
    func formulas(_ field: String) throws {
        let table = DelimitedTable(header: ["name"], rows: [.init(line: 2, fields: [field])])
        let lines = table.text.split(separator: "\r\n", maxSplits: 1)
        let written = try #require(lines.last).drop { $0 == "\"" }
        #expect(written.hasPrefix("'"))
        #expect(try DelimitedTable(table.text).rows.map(\.fields) == [[field]])
    }

    @Test(
        "Numbers and words stay as they are",
        arguments: ["-5", "+5", "-0.25", "-1e-3", "a=b", "it's", "'tis", "1-2", "", "'", "-inf"])
    func harmless(_ field: String) throws {
        let table = DelimitedTable(header: ["name"], rows: [.init(line: 2, fields: ["x", field])])
        #expect(table.text == "name\r\nx,\(field)\r\n")
    }

    @Test("Faults name their line") func faults() {
        #expect(tableFault { _ = try DelimitedTable("") }?.line == 1)
        #expect(tableFault { _ = try DelimitedTable("a,b\n1,2\n\n1,2,3\n") }?.line == 4)
        #expect(tableFault { _ = try DelimitedTable("a\n\"x\ny\"\n\"open") }?.line == 4)
        #expect(tableFault { _ = try DelimitedTable("a\nx\"y") }?.line == 2)
        #expect(tableFault { _ = try DelimitedTable("a,a\n") }?.detail.contains("twice") == true)
    }

    @Test("Rooms come back by their table alone", arguments: 0..<40) func rooms(seed: Int) throws {
        let site = RandomSite(seed: seed).document
        let text = RoomTable.table(of: site).text
        var bare = site
        for index in bare.rooms.indices {
            let room = bare.rooms[index]
            bare.rooms[index] = RoomRecord(
                id: room.id, floor: room.floor, name: "", kind: "room", outline: [])
        }
        #expect(try RoomTable.site(bare, with: DelimitedTable(text)) == site)
        #expect(try RoomTable.site(site, with: DelimitedTable(text)) == site)
    }

    @Test("Facts of connections come back by their table alone", arguments: 0..<40)
    func connections(seed: Int) throws {
        let site = RandomSite(seed: seed).document
        let text = ConnectionTable.table(of: site).text
        #expect(try ConnectionTable.site(site, with: DelimitedTable(text)) == site)
        var bare = site
        for index in bare.connections.indices {
            let way = bare.connections[index]
            bare.connections[index] = ConnectionRecord(
                id: way.id, kind: way.kind, stops: way.stops, line: way.line,
                isOneWay: way.isOneWay, riseMetres: way.slope == nil ? way.riseMetres : nil)
        }
        var wanted = site
        for index in wanted.connections.indices where wanted.connections[index].slope != nil {
            wanted.connections[index].riseMetres = nil
        }
        #expect(try ConnectionTable.site(bare, with: DelimitedTable(text)) == wanted)
    }

    /// A way outdoors whose slope a grid of heights gave, and a door into a house of two levels.
    private var grounds: SiteDocument {
        var site = RandomSite(seed: 2).document
        let (floor, room) = (site.floors[0].id, site.rooms[0].id)
        site.buildings[0].name = "Old, house"
        site.floors[0].level = "G"
        site.floors[0].building = site.buildings[0].id
        (site.rooms[0].name, site.rooms[0].floor) = ("Hall", floor)
        let path = ConnectionRecord(
            id: ConnectionID("path"), kind: .walk,
            stops: [
                ConnectionStop(floor: nil, point: [0, 0]),
                ConnectionStop(floor: nil, point: [20, 3.5]),
            ], slope: 0.04, riseMetres: 0.8)
        var stated = path
        (stated.id, stated.slope, stated.riseMetres) = (ConnectionID("stated"), -0.02, nil)
        let door = ConnectionRecord(
            id: ConnectionID("door"), kind: .door,
            stops: [
                ConnectionStop(floor: nil, point: [20, 3.5]),
                ConnectionStop(floor: floor, room: room, point: [20, 3.5]),
            ])
        site.connections = [path, stated, door]
        return site
    }

    @Test("A slope from a grid stays one, also where a table is older than the grid")
    func slopesOfGrids() throws {
        let site = grounds
        let table = ConnectionTable.table(of: site)
        #expect(try ConnectionTable.site(site, with: DelimitedTable(table.text)) == site)
        var later = site
        (later.connections[0].slope, later.connections[0].riseMetres) = (0.06, 1.2)
        #expect(try ConnectionTable.site(later, with: DelimitedTable(table.text)) == later)
        func slope(_ row: String) throws -> ConnectionRecord {
            let table = try DelimitedTable("id,slope\npath,\(row)\n")
            return try ConnectionTable.site(site, with: table).connections[0]
        }
        #expect(try slope("0.04") == site.connections[0], "as tables had it before")
        let stated = try slope("0.05")
        #expect(stated.slope == 0.05 && stated.riseMetres == nil)
        let removed = try slope("-")
        #expect(removed.slope == nil && removed.riseMetres == nil)
    }

    @Test("A person finds a connection's row by its places, which the import ignores")
    func readable() throws {
        let site = grounds
        var table = ConnectionTable.table(of: site)
        func cells(_ row: Int) -> [String: String] {
            Dictionary(uniqueKeysWithValues: zip(table.header, table.rows[row].fields))
        }
        let (path, door) = (cells(0), cells(2))
        #expect(path["from"] == "outdoors" && path["to"] == "outdoors")
        #expect(path["x"] == "10" && path["y"] == "1.75")
        #expect(path["slope"] == "" && path["slopeOfGrid"] == "0.04")
        #expect(cells(1)["slope"] == "-0.02" && cells(1)["slopeOfGrid"] == "")
        #expect(door["from"] == "outdoors" && door["to"] == "Old, house, level G, Hall")
        for name in ["kind", "rooms", "from", "to", "x", "y", "slopeOfGrid"] {
            let column = try #require(table.header.firstIndex(of: name))
            for row in table.rows.indices { table.rows[row].fields[column] = "no matter" }
        }
        #expect(try ConnectionTable.site(site, with: DelimitedTable(table.text)) == site)
    }

    @Test("A fact that does not fit is refused with its line, unless the site has it already")
    func unfittingFacts() throws {
        var site = grounds
        site.connections[2].handrail = .left
        let table = ConnectionTable.table(of: site).text
        #expect(try ConnectionTable.site(site, with: DelimitedTable(table)) == site)
        let refusal = tableFault {
            _ = try ConnectionTable.site(
                site, with: DelimitedTable("id,glass\ndoor,yes\npath,yes\n"))
        }
        #expect(refusal?.line == 3)
        #expect(refusal?.detail == "glass is no fact of the kind walk, but of door")
    }

    @Test("A table with semicolons or tabs is refused with what to do")
    func separators() {
        for (text, word) in [
            ("id;handrail\r\na;left\r\n", "semicolons"), ("id\tfloor\na\tb,c\n", "tabs"),
            ("\u{FEFF}id;\"name\"\n", "semicolons"), ("sep=;\nid;name\n", "semicolons"),
        ] {
            let refusal = tableFault { _ = try DelimitedTable(text) }
            #expect(refusal?.line == 1 && refusal?.detail.contains(word) == true, "\(text)")
        }
        #expect(tableFault { _ = try DelimitedTable("id,a;b\n1,2\n") } == nil)
        #expect(tableFault { _ = try DelimitedTable("id\na;b\n") } == nil)
    }

    @Test("A table in the encoding of a country is refused with its line, and what to do")
    func encodings() throws {
        let latin = Array("id,name\r\na,door\r\nb,T".utf8) + [0xFC] + Array("r\r\n".utf8)
        let refused = tableFault { _ = try DelimitedTable(utf8: latin) }
        #expect(refused?.line == 3)
        #expect(refused?.detail.contains("UTF-8") == true)
        let table = try DelimitedTable(utf8: Array("\u{FEFF}id,name\nb,T\u{FC}r\n".utf8))
        #expect(table.rows.map(\.fields) == [["b", "T\u{FC}r"]])
    }

    @Test("A table of connections changes and removes facts, and refuses unknown words")
    func connectionFacts() throws {
        var site = RandomSite(seed: 2).document
        site.connections[0] = ConnectionRecord(
            id: site.connections[0].id, kind: .stairs, stops: site.connections[0].stops, steps: 4)
        let id = site.connections[0].id
        func changed(_ header: String, _ row: String) throws -> ConnectionRecord {
            let table = try DelimitedTable("id,\(header)\n\(id),\(row)\n")
            #expect(try SiteTable(header: table.header) == .connections)
            return try SiteTable.connections.site(site, with: table).connections[0]
        }
        let way = try changed("handrail,steps,tactilePaving,surface", "right,-,yes,tiles")
        #expect(way.handrail == .right && way.steps == nil && way.hasTactilePaving == true)
        #expect(way.surface == "tiles" && way.stops == site.connections[0].stops)
        #expect(try changed("handrail,steps", ",") == site.connections[0])
        for (header, row) in [
            ("handrail", "up"), ("opens", "inwards"), ("glass", "perhaps"), ("steps", "2.5"),
            ("steps", "many"), ("widthMetres", "-4"), ("colour", "red"),
        ] {
            #expect(throws: TableFault.self) { try changed(header, row) }
        }
        #expect(
            tableFault { _ = try ConnectionTable.site(site, with: DelimitedTable("id\nno\n")) }
                != nil)
    }

    @Test("Access points come back by their table alone", arguments: 0..<40)
    func accessPoints(seed: Int) throws {
        let site = RandomSite(seed: seed).document
        var bare = site
        bare.accessPointPlaces = []
        let text = AccessPointTable.table(of: site).text
        #expect(try AccessPointTable.site(bare, with: DelimitedTable(text)) == site)
    }

    @Test("A short table adds and changes rooms, and leaves the others") func short() throws {
        let site = RandomSite(seed: 2).document
        let floor = site.floors[0].id
        let old = site.rooms[0]
        let text = """
            id,floor,name,x,y,side,name:cy
            new,\(floor),"Lab, north",10,20,4,Labordy
            \(old.id),\(old.floor),Renamed,,,,
            """
        let changed = try RoomTable.site(site, with: DelimitedTable(text))
        #expect(changed.rooms.count == site.rooms.count + 1)
        #expect(changed.rooms.last?.outline == [[8, 18], [12, 18], [12, 22], [8, 22]])
        #expect(changed.rooms.last?.names.byLanguage == ["cy": "Labordy"])
        #expect(changed.rooms[0].name == "Renamed")
        #expect(changed.rooms[0].outline == old.outline)
        #expect(changed.connections == site.connections)
    }

    @Test("A wrong line is refused with its number, and nothing is imported")
    func refusals() throws {
        let site = RandomSite(seed: 2).document
        let floor = site.floors[0].id
        func line(_ text: String) -> Int? {
            tableFault { _ = try RoomTable.site(site, with: DelimitedTable(text)) }?.line
        }
        #expect(line("id\n") == 1)
        #expect(line("id,floor,colour\n") == 1)
        #expect(line("id,floor\na,\(floor)\nb,nowhere\n") == 3)
        #expect(line("id,floor\na b,\(floor)\n") == 2)
        #expect(line("id,floor\na,\(floor)\na,\(floor)\n") == 3)
        #expect(line("id,floor,outline\na,\(floor),POINT (1 2)\n") == 2)
        #expect(line("id,floor,tactilePaving\na,\(floor),perhaps\n") == 2)
        let crossed = "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))"
        #expect(line("id,floor,outline\nb,\(floor),\na,\(floor),\"\(crossed)\"\n") == 3)
        #expect(line("id,floor,name\na,\(floor),\(String(repeating: "x", count: 10_000))\n") == 2)
        #expect(
            tableFault {
                _ = try AccessPointTable.site(
                    site, with: DelimitedTable("bssid,floor,x,y\n00:11,\(floor),1,2\n"))
            }?.line == 2)
    }
}
