import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Import of rooms, doors and lifts") struct RoomImportTests {
    @Test("Rooms are on each of their levels, and keep their facts")
    func levels() throws {
        var map = HandMadeMap()
        map.way(
            1, map.rectangle(1, 0...10, 0...10),
            [
                "indoor": "room", "level": "0-1", "repeat_on": "3", "name": "Hall",
                "name:de": "Halle",
                "room": "auditorium", "wheelchair": "yes", "access": "private",
                "opening_hours": "Mo-Fr 08:00-18:00",
            ])
        let site = try map.imported()
        #expect(site.document.rooms.map(\.id.text) == ["w1-l0", "w1-l1", "w1-l3"])
        #expect(site.document.floors.map(\.ordinal) == [0, 1, 3])
        #expect(site.document.buildings.map(\.id.text) == ["site"])
        let room = try #require(site.room("w1-l1"))
        #expect(room.floor == FloorID("l1"))
        #expect(room.name == "Hall")
        #expect(room.names == Translations(["de": "Halle"]))
        #expect(room.kind == "auditorium")
        #expect(room.outline == [[0, 0], [10, 0], [10, 10], [0, 10]])
        #expect(room.accessible == .yes)
        #expect(room.isRestricted)
        #expect(room.openingHours == "Mo-Fr 08:00-18:00")
        #expect(site.report.counts["rooms"] == 1)
    }

    @Test("With half levels the floors are numbered from the ground")
    func halves() throws {
        var map = HandMadeMap()
        map.way(
            1, map.rectangle(1, 0...10, 0...10), ["indoor": "room", "level": "-1;-0.5;0;0.5;1;2"])
        let floors = try map.imported().document.floors
        #expect(floors.map(\.level) == ["-1", "-0.5", "0", "0.5", "1", "2"])
        #expect(floors.map(\.ordinal) == [-2, -1, 0, 1, 2, 3])
    }

    @Test("Levels are named by `level:ref` or by a level's own outline")
    func levelNames() throws {
        var map = HandMadeMap()
        map.way(
            1, map.rectangle(1, 0...10, 0...10),
            ["indoor": "room", "level": "-1", "level:ref": "UG"])
        map.way(
            2, map.rectangle(11, 0...10, 0...10),
            ["indoor": "level", "level": "0", "name": "Street"])
        map.way(3, map.rectangle(21, 0...5, 0...5), ["indoor": "room", "level": "0"])
        #expect(try map.imported().document.floors.map(\.level) == ["UG", "Street"])
    }

    @Test("A relation gives an outline with a hole, in whatever pieces its edge is drawn")
    func holes() throws {
        var map = HandMadeMap()
        let ring = map.rectangle(1, 0...30, 0...30)
        map.way(1, Array(ring[0...2]), [:])
        map.way(2, [ring[0], ring[3], ring[2]], [:])
        map.way(3, map.rectangle(11, 10...20, 10...20), [:])
        map.relation(
            9, outer: [1, 2], inner: [3],
            ["type": "multipolygon", "indoor": "area", "level": "1", "name": "Atrium"])
        let site = try map.imported()
        let room = try #require(site.room("r9"))
        #expect(room.outline.corners.count == 4)
        #expect(room.holes == [[[10, 10], [20, 10], [20, 20], [10, 20]]])
        #expect(room.kind == "area")
    }

    @Test("Outlines that cross themselves or lack corners are left out and noted")
    func badOutlines() throws {
        var map = HandMadeMap()
        let ring = map.rectangle(1, 0...10, 0...10)
        map.way(
            1, [ring[0], ring[2], ring[1], ring[3], ring[0]], ["indoor": "room", "level": "0"])
        map.way(2, [1, 2, 99, 1], ["indoor": "room", "level": "0"])
        map.way(3, [1, 2, 1, 1], ["indoor": "room", "level": "0"])
        map.way(4, ring, ["indoor": "room", "level": "0"])
        let site = try map.imported()
        #expect(site.document.rooms.map(\.id.text) == ["w4"])
        #expect(site.notes("outline-crosses-itself") == ["w1"])
        #expect(site.notes("dangling-reference") == ["w2"])
        #expect(site.notes("too-few-points") == ["w3"])
    }

    @Test("Nodes off the Earth or far away are left out, with the things that need them")
    func places() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "room", "level": "0"])
        map.node(7, 200_000, 0)
        map.way(2, [1, 7], ["highway": "footway"])
        var data = map.data
        data.nodes.append(.init(id: 8, latitude: 91, longitude: 0))
        data.nodes.append(.init(id: 9, latitude: nil, longitude: nil))
        let site = try OpenStreetMapImport().site(from: data)
        #expect(site.notes("coordinate-out-of-range") == ["n7", "n8", "n9"])
        #expect(site.document.connections.isEmpty)
        #expect(site.document.rooms.count == 1)
    }

    /// A room, a corridor beside it with a door between, and a door out of the corridor:
    ///
    ///     +-----------+
    ///     |   room    |
    ///     +----5------+
    ///     6 corridor  |
    ///     +-----------+
    private func house(door: [String: String], out: [String: String] = ["entrance": "main"])
        -> HandMadeMap
    {
        var map = HandMadeMap()
        for (id, x, y) in [
            (1, 0, 0), (2, 20, 0), (3, 20, 5), (4, 0, 5), (7, 20, 15), (8, 0, 15),
        ] { map.node(Int64(id), Double(x), Double(y)) }
        map.node(5, 10, 5, door)
        map.node(6, 0, 2, out)
        map.way(1, [4, 5, 3, 7, 8, 4], ["indoor": "room", "level": "0"])
        map.way(2, [1, 2, 3, 5, 4, 6, 1], ["indoor": "corridor", "level": "0"])
        return map
    }

    @Test("A door on the edge of two rooms joins them; an entrance joins a room and outdoors")
    func doors() throws {
        var map = house(door: [
            "door": "hinged", "width": "90 cm", "automatic_door": "button", "wheelchair": "limited",
        ])
        map.way(3, [6, map.node(9, -20, 2)], ["highway": "footway"])
        let site = try map.imported()
        let door = try #require(site.connection("n5"))
        #expect(door.kind == .door)
        #expect(site.rooms(of: "n5") == ["w2", "w1"])
        #expect(door.stops.allSatisfy { $0.point == [10, 5] })
        #expect(door.widthMetres == 0.9)
        #expect(door.isAutomatic == true)
        #expect(door.accessible == .unknown)
        #expect(site.floors(of: "n6") == ["l0", "-"])
        #expect(site.connection("n6")?.stops[1] == site.connection("w3")?.stops[0])
        #expect(site.report.counts["doors"] == 2)
    }

    @Test("Rooms without a door stay separate; an open area needs no door")
    func walls() throws {
        let site = try house(door: [:]).imported()
        #expect(site.connection("n5") == nil)
        #expect(site.report.counts["openings"] == nil)
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "area", "level": "0"])
        map.node(11, 10, -5)
        map.node(12, 20, 10)
        map.way(2, [2, 11, 12, 3, 2], ["indoor": "corridor", "level": "0"])
        let open = try map.imported()
        #expect(open.rooms(of: "w1-w2") == ["w1", "w2"])
        #expect(open.connection("w1-w2")?.stops[0].point.x == 10)
        #expect(open.connection("w1-w2")?.stops[0].point.y == 5)
        #expect(open.connection("w1-w2")?.widthMetres == 10)
    }

    @Test("A door in the wall of a booth leads to the hall around it")
    func booth() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...30, 0...30), ["indoor": "area", "level": "2"])
        map.node(15, 15, 10, ["door": "yes"])
        _ = map.rectangle(11, 10...20, 10...20)
        map.way(2, [11, 15, 12, 13, 14, 11], ["indoor": "room", "level": "2"])
        #expect(try map.imported().rooms(of: "n15") == ["w2", "w1"])
    }

    @Test("A door with nothing behind it is left out and noted")
    func nowhere() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "room", "level": "2"])
        map.node(9, 5, 0, ["door": "yes"])
        map.way(2, [1, 9, 2, 3, 4, 1], ["indoor": "room", "level": "3"])
        #expect(try map.imported().notes("door-leads-nowhere") == ["n9"])
    }

    @Test("A piece of wall that is a door joins the rooms on both its sides")
    func doorWays() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "room", "level": "0"])
        map.node(11, 20, 0)
        map.node(12, 20, 10)
        map.way(2, [2, 11, 12, 3, 2], ["indoor": "room", "level": "0"])
        map.way(3, [2, 3], ["indoor": "door", "level": "0"])
        let site = try map.imported()
        #expect(site.rooms(of: "w3") == ["w1", "w2"])
        #expect(site.connection("w3")?.widthMetres == 10)
    }

    @Test("A gate at the same point as the next node gets no piece of its path")
    func gateOnNode() throws {
        var map = HandMadeMap()
        map.node(1, 0, 0)
        map.node(2, 10, 0, ["barrier": "gate"])
        map.node(3, 10, 0)
        map.node(4, 20, 0)
        map.way(1, [1, 2, 3, 4], ["highway": "footway"])
        let site = try map.imported()
        #expect(site.document.connections.allSatisfy { $0.stops.count == 2 })
        #expect(site.notes("door-leads-nowhere") == ["n2"])
    }

    @Test("A gate on a path gets a piece of it, so that it can be closed")
    func gates() throws {
        var map = HandMadeMap()
        map.node(2, 10, 0, ["barrier": "gate", "access": "private"])
        map.way(1, [map.node(1, 0, 0), 2, map.node(3, 20, 0)], ["highway": "footway"])
        let site = try map.imported()
        let gate = try #require(site.connection("n2"))
        #expect(gate.stops.map(\.point.x) == [9.75, 10.25])
        #expect(gate.openingHours == "off")
        #expect(site.connection("w1")?.stops[1] == gate.stops[0])
        #expect(site.connection("w1-n2")?.stops[0] == gate.stops[1])
    }

    @Test("A lift stops on its own levels, and on those of the paths at it")
    func lifts() throws {
        var map = HandMadeMap()
        map.node(
            2, 10, 0, ["highway": "elevator", "level": "0;-1", "ref": "B", "wheelchair": "yes"])
        map.way(
            1, [map.node(1, 0, 0), 2], ["highway": "corridor", "level": "-8"])
        map.way(2, [2, map.node(3, 20, 0)], ["highway": "footway"])
        let site = try map.imported()
        #expect(site.floors(of: "n2") == ["l-8", "l-1", "l0"])
        #expect(site.connection("n2")?.name == "B")
        #expect(site.connection("n2")?.accessible == .yes)
        #expect(site.floors(of: "w2") == ["l0", "-"])
    }

    @Test("A lift without levels has those of its paths; with one or none it is left out and noted")
    func liftsWithoutLevels() throws {
        var map = HandMadeMap()
        map.node(2, 10, 0, ["highway": "elevator"])
        map.way(1, [map.node(1, 0, 0), 2], ["highway": "corridor", "level": "0"])
        map.way(2, [2, map.node(3, 20, 0)], ["highway": "corridor", "level": "2"])
        map.node(4, 50, 0, ["highway": "elevator"])
        map.node(5, 60, 0, ["highway": "elevator", "level": "3"])
        let site = try map.imported()
        #expect(site.floors(of: "n2") == ["l0", "l2"])
        #expect(site.notes("lift-without-levels") == ["n4", "n5"])
        #expect(site.report.counts["lifts"] == 1)
    }

    @Test("Lifts and stairwells that are areas join their rooms; doors lead in")
    func shafts() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...4, 0...4), ["highway": "elevator", "level": "0-2"])
        map.way(
            2, map.rectangle(11, 10...14, 0...4),
            ["indoor": "room", "stairs": "yes", "level": "0-2"])
        let site = try map.imported()
        #expect(site.rooms(of: "w1") == ["w1-l0", "w1-l1", "w1-l2"])
        #expect(site.connection("w1")?.kind == .lift)
        #expect(site.rooms(of: "w2-l0") == ["w2-l0", "w2-l1"])
        #expect(site.rooms(of: "w2-l1") == ["w2-l1", "w2-l2"])
        #expect(site.connection("w2-l0")?.kind == .stairs)
    }

    @Test("A path that ends in a room, or at the edge of an open one, has a stop in it")
    func pathsInRooms() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "room", "level": "0"])
        map.way(2, map.rectangle(11, 20...30, 0...10), ["railway": "platform", "level": "0"])
        map.way(
            3, [map.node(21, 5, 5), 11], ["highway": "corridor", "level": "0"])
        let site = try map.imported()
        #expect(site.rooms(of: "w3") == ["w1", "w2"])
        #expect(site.room("w2")?.kind == "platform")
    }

    @Test("Rooms are on floors of the building around them, all else on floors of no building")
    func buildings() throws {
        var map = HandMadeMap()
        map.way(
            1, map.rectangle(1, 0...40, 0...40),
            ["building": "yes", "name": "Main", "addr:street": "Lane", "addr:housenumber": "5"])
        map.way(2, map.rectangle(11, 5...10, 5...10), ["indoor": "room", "level": "1"])
        map.way(
            3, [map.node(21, 7, 7), map.node(22, 60, 7)], ["highway": "footway", "level": "1"])
        map.way(4, map.rectangle(31, 50...60, 50...60), ["building": "house"])
        let site = try map.imported()
        #expect(site.document.buildings.map(\.id.text) == ["site", "w1", "w4"])
        #expect(site.document.buildings[1].name == "Main")
        #expect(site.document.buildings[1].address == "Lane 5")
        #expect(site.document.buildings[1].outline.corners.count == 4)
        #expect(site.document.floors.map(\.id.text) == ["l1", "w1-l1"])
        #expect(site.room("w2")?.floor == FloorID("w1-l1"))
        #expect(site.floors(of: "w3") == ["w1-l1", "l1"])
    }

    @Test("Squares without a level have paths along their edges")
    func squares() throws {
        var map = HandMadeMap()
        map.way(
            1, map.rectangle(1, 0...10, 0...10), ["highway": "pedestrian", "area": "yes"])
        map.way(2, [3, map.node(9, 20, 20)], ["highway": "footway"])
        let site = try map.imported()
        #expect(site.document.rooms.isEmpty)
        #expect(site.connection("w1")?.stops[1] == site.connection("w2")?.stops[0])
    }

    @Test("A site is named after its station or town, or after its only house")
    func names() throws {
        var map = HandMadeMap()
        func name() throws -> String { try map.imported().document.name }
        map.way(1, map.rectangle(1, 0...10, 0...10), ["building": "yes", "name": "Library"])
        #expect(try name() == "Library")
        map.way(2, map.rectangle(5, 20...30, 0...10), ["building": "yes", "name": "Bakery"])
        #expect(try name() == "OpenStreetMap")
        // The boundary of a distant city, as extracts contain them.
        map.relation(1, outer: [1], ["place": "city", "name": "Elsewhere"])
        #expect(try name() == "OpenStreetMap")
        map.node(9, 50, 50, ["place": "town", "name": "Aber"])
        #expect(try name() == "Aber")
        map.node(10, 60, 60, ["railway": "station", "name": "Aber Central"])
        #expect(try name() == "Aber Central")
    }

    @Test("Walls are counted, and an empty map is refused")
    func nothing() throws {
        var map = HandMadeMap()
        map.way(1, [map.node(1, 0, 0), map.node(2, 5, 0)], ["indoor": "wall", "level": "0"])
        #expect(throws: ImportRefusal.self) { try map.imported() }
        map.way(2, [1, 2], ["highway": "footway"])
        #expect(try map.imported().report.counts["walls"] == 1)
    }
}
