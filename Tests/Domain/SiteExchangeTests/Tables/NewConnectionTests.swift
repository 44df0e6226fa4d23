import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Tables that add doors, stairs and lifts") struct NewConnectionTests {
    private static func room(_ id: String, _ floor: String) -> RoomRecord {
        RoomRecord(
            id: RoomID(id), floor: FloorID(floor), name: id, kind: "room",
            outline: [[0, 0], [4, 0], [4, 3], [0, 3]])
    }

    private static let site = SiteDocument(
        name: "House", originLatitude: 51, originLongitude: 0, bearingDegrees: 0,
        buildings: [BuildingRecord(id: BuildingID("house"), name: "House", timeZone: "Etc/UTC")],
        floors: [
            FloorRecord(id: FloorID("g"), building: BuildingID("house"), ordinal: 0, level: "G"),
            FloorRecord(id: FloorID("u"), building: BuildingID("house"), ordinal: 1, level: "1"),
        ], rooms: [room("hall", "g"), room("shop", "g"), room("loft", "u")])

    private func after(_ text: String) throws -> [ConnectionRecord] {
        try ConnectionTable.site(Self.site, with: DelimitedTable(text)).connections
    }

    @Test("Rows with new ids become doors, stairs and lifts with their facts")
    func added() throws {
        let ways = try after(
            """
            id,kind,rooms,x,y,x2,y2,widthMetres,doorKind,steps
            main,door,outdoors hall,2,0,,,1.2,sliding,
            flight,stairs,hall loft,1,1,1,3,,,17
            lift,lift,hall loft,3,2,,,,,

            """)
        #expect(ways.map(\.id.text) == ["main", "flight", "lift"])
        #expect(ways[0].stops[0] == ConnectionStop(floor: nil, point: [2, 0]))
        #expect(
            ways[0].stops[1]
                == ConnectionStop(floor: FloorID("g"), room: RoomID("hall"), point: [2, 0]))
        #expect(ways[0].widthMetres == 1.2 && ways[0].doorKind == .sliding)
        #expect(ways[1].kind == .stairs && ways[1].steps == 17)
        #expect(ways[1].stops.map(\.point) == [[1, 1], [1, 3]])
        #expect(ways[1].stops.map(\.floor) == [FloorID("g"), FloorID("u")])
        #expect(ways[2].kind == .lift && ways[2].stops.count == 2)
    }

    @Test("What was added comes back by the table of an export")
    func exported() throws {
        let text = "id,kind,rooms,x,y\nmain,door,outdoors hall,2,0\nlift,lift,hall loft,3,2\n"
        let site = try ConnectionTable.site(Self.site, with: DelimitedTable(text))
        let table = ConnectionTable.table(of: site).text
        #expect(try ConnectionTable.site(Self.site, with: DelimitedTable(table)) == site)
    }

    @Test(
        "A wrong row names its line and column",
        arguments: [
            ("id,widthMetres\nnew,1\n", "line 2: kind is needed"),
            ("id,kind,rooms,x,y\nnew,gate,hall shop,1,1\n", "line 2: kind must be walk, door"),
            ("id,kind,rooms,x,y\nnew,door,hall,1,1\n", "line 2: rooms must be two ids"),
            (
                "id,kind,rooms,x,y\nnew,door,hall attic,1,1\n",
                "line 2: rooms: there is no room attic"
            ),
            ("id,kind,rooms,x,y\nnew,door,hall shop,1,east\n", "line 2: y must be a number"),
            ("id,kind,rooms,x,y,steps\nnew,door,hall shop,1,1,4\n", "line 2: steps is no fact"),
            ("id,kind,rooms,x,y\nnew,lift,hall shop,1,1\n", "line 2: connection new: all stops"),
        ])
    func wrong(text: String, reason: String) {
        #expect {
            try after(text)
        } throws: { error in
            "\(error)".contains(reason)
        }
    }
}
