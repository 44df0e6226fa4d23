import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Faults of tables") struct TableFaultTests {
    @Test("All wrong rows are told with their lines, twenty of them, and the rest is counted")
    func allFaults() throws {
        let site = RandomSite(seed: 2).document
        let floor = site.floors[0].id
        func rooms(_ rows: [String]) throws -> DelimitedTable {
            try DelimitedTable((["id,floor,side,x,y"] + rows).joined(separator: "\n"))
        }
        let two = tableFault {
            _ = try RoomTable.site(
                site, with: rooms(["a,nowhere,,,", "b,\(floor),4,9,9", "!,\(floor),,,"]))
        }
        #expect(lines(of: two) == [2, 4] && two?.untoldCount == 0)
        #expect(two?.description.hasPrefix("line 2: there is no floor nowhere\nline 4: id") == true)
        for count in [20, 21, 33] {
            let rows = (0..<count).map { "a\($0),nowhere,,," }
            let found = try #require(tableFault { _ = try RoomTable.site(site, with: rooms(rows)) })
            #expect(lines(of: found) == Array(2...21))
            #expect(found.untoldCount == count - 20)
            #expect(found.description.contains("and 1 more row") == (count == 21))
        }
        // Rows that are too short, facts of connections, and what makes a site invalid, alike.
        let short = tableFault { _ = try DelimitedTable("id,floor\na\nb,c\nd,e,f\n") }
        #expect(lines(of: short) == [2, 4])
        let ways = tableFault {
            _ = try ConnectionTable.site(site, with: DelimitedTable("id\nno\nnor\n"))
        }
        #expect(lines(of: ways) == [2, 3])
        let thin = tableFault {
            _ = try RoomTable.site(
                site, with: rooms(["a,\(floor),1e9,0,0", "b,\(floor),4,9,9", "c,\(floor),1e9,0,0"]))
        }
        #expect(lines(of: thin) == [2, 4])
    }

    /// The lines that a fault names.
    private func lines(of fault: TableFault?) -> [Int] {
        fault.map { ([$0.line] + $0.others.map(\.line)).compactMap(\.self) } ?? []
    }

    @Test("Widths, cells and what makes a site invalid are told together, one fault a line")
    func allKinds() throws {
        let site = RandomSite(seed: 2).document
        let floor = site.floors[0].id
        func rooms(_ rows: [String], header: String = "id,floor,side,x,y,name") -> TableFault? {
            let text = ([header] + rows).joined(separator: "\n")
            return tableFault {
                let table = try DelimitedTable(readableOf: Array(text.utf8))
                _ = try RoomTable.site(site, with: table)
            }
        }
        let long = String(repeating: "x", count: 10_000)
        let mixed = rooms([
            "a,\(floor),1e9,0,0,\(long)", "b,\(floor)", "c,nowhere,,,,", "d,\(floor),4,9,9,D",
            "e,\(floor),1e9,0,0,", "f,\(floor),\"4\"x",
        ])
        #expect(lines(of: mixed) == [2, 3, 4, 6, 7])
        #expect(mixed?.untoldCount == 0 && mixed?.untoldElsewhereCount == 0)
        let header = rooms(
            ["a,nowhere,,", "b,\(floor)"], header: "id,floor,colour,size")
        #expect(lines(of: header) == [1, 2, 3])
        #expect(
            header?.detail.contains("colour") == true && header?.detail.contains("size") == true)
        let needed = rooms(["a,b,c", "a,b"], header: "id,name,colour")
        #expect(lines(of: needed) == [1, 3])
        #expect(needed?.detail.hasSuffix("; the column floor is missing") == true)
        // More than a site tells of its faults, and several of each room.
        let many = rooms((0..<300).map { "a\($0),\(floor),1e9,0,0,\(long)" })
        #expect(lines(of: many) == Array(2...21) && many?.untoldCount == 280)
    }

    @Test("The table's lines come before old faults of the site, which have no line")
    func oldFaults() throws {
        var site = RandomSite(seed: 2).document
        let floor = site.floors[0].id
        for number in 0..<150 {
            site.rooms.append(
                RoomRecord(
                    id: RoomID("old-\(number)"), floor: FloorID("nowhere"), name: "", kind: "room",
                    outline: [[0, 0], [4, 0], [4, 4]]))
        }
        func rooms(_ rows: [String]) -> TableFault? {
            tableFault {
                let table = try DelimitedTable(
                    (["id,floor,side,x,y"] + rows).joined(separator: "\n"))
                _ = try RoomTable.site(site, with: table)
            }
        }
        let good = "a,\(floor),4,9,9"
        let both = try #require(rooms([good, "b,\(floor),1e9,0,0"]))
        #expect(lines(of: both) == [3] && both.others.count == 19)
        #expect(both.untoldCount == 0 && both.untoldElsewhereCount == 131)
        #expect(both.description.contains("\nroom old-0: "))
        #expect(both.description.hasSuffix("\nand 131 more records that the table does not have"))
        let elsewhere = try #require(rooms([good]))
        #expect(elsewhere.line == nil && !elsewhere.description.contains("line 1"))
        // The wrong row might mend one of them.
        #expect(lines(of: rooms(["old-0,\(floor),four,9,9"])) == [2])
        let mended = (0..<150).map { "old-\($0),\(floor),4,9,9" }
        #expect(rooms(mended) == nil)
    }

    @Test("A bssid in any spelling is told at its line")
    func spellings() throws {
        var site = RandomSite(seed: 2).document
        let floor = site.floors[0].id
        site.accessPointPlaces = []
        for text in ["00-62-EC-FD-EC-50", "00:62:EC:FD:EC:50", "00:62:ec:fd:ec:50"] {
            let address = try #require(AccessPointPlace.address(text))
            // A place of the site that is wrong by itself, which the table does not mend.
            var wrong = site
            wrong.accessPointPlaces = Array(
                repeating: AccessPointPlace(address: address, floor: floor, point: [1, 2]), count: 2
            )
            let refusal = tableFault {
                _ = try AccessPointTable.site(
                    wrong,
                    with: DelimitedTable(
                        "bssid,floor,x,y\n00:62:ec:fd:ec:51,\(floor),1,2\n\(text),\(floor),3,4\n"))
            }
            #expect(refusal?.line == 3, "\(text)")
        }
    }
}
