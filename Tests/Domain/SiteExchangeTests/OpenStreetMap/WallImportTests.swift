import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Import of walls and of rooms without a door") struct WallImportTests {
    /// Two areas side by side that share the edge from node 2 to node 3.
    private static var areas: HandMadeMap {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "area", "level": "0"])
        map.node(11, 20, 0)
        map.node(12, 20, 10)
        map.way(2, [2, 11, 12, 3, 2], ["indoor": "area", "level": "0"])
        return map
    }

    @Test("Areas that share an edge are open to each other unless a wall runs along it")
    func between() throws {
        var map = Self.areas
        #expect(try map.imported().connection("w1-w2") != nil)
        map.way(3, [2, 3], ["indoor": "wall", "level": "1"])
        #expect(try map.imported().connection("w1-w2") != nil)
        map.way(4, [3, 2], ["barrier": "fence", "level": "0"])
        let site = try map.imported()
        #expect(site.document.connections.isEmpty)
        #expect(site.report.counts["walls"] == 2)
        #expect(site.document.rooms.count == 2)
    }

    @Test("A door in a wall between areas joins them, whether or not it is on their edge")
    func doorBetween() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "area", "level": "0"])
        map.way(2, map.rectangle(11, 10.1...20, 0...10), ["indoor": "area", "level": "0"])
        map.node(21, 10.05, 0)
        map.node(22, 10.05, 5, ["door": "hinged", "width": "0.8"])
        map.node(23, 10.05, 10)
        map.way(3, [21, 22, 23], ["indoor": "wall", "level": "0"])
        let site = try map.imported()
        #expect(site.rooms(of: "n22").sorted() == ["w1", "w2"])
        #expect(site.connection("n22")?.widthMetres == 0.8)
        #expect(site.report.counts["doors"] == 1)
    }

    @Test("A wall within an area is a thin room of kind wall, and a door in it is a gap")
    func within() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "area", "level": "0"])
        map.node(11, 5, 0)
        map.node(12, 5, 4, ["door": "yes"])
        map.node(13, 5, 10)
        map.way(1_001, [11, 12, 13], ["indoor": "wall", "level": "0"])
        let site = try map.imported()
        #expect(site.document.rooms.map(\.id.text) == ["w1", "w1001", "w1001-2"])
        #expect(site.room("w1001")?.kind == "wall")
        let outlines = ["w1001", "w1001-2"].compactMap { site.room($0)?.outline }
        #expect(outlines.map { $0.corners.map(\.y).max() } == [3.55, 10])
        #expect(outlines.map { $0.corners.map(\.y).min() } == [0, 4.45])
        #expect(site.connection("n12") == nil)
        #expect(site.notes("door-leads-nowhere").isEmpty)
        #expect(site.report.counts["doors"] == 1)
        #expect(site.report.counts["wallsWithinAreas"] == 1)
    }

    @Test("Columns, and walls with their own outline, are obstacles in the hall")
    func solids() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...20, 0...20), ["indoor": "area", "level": "0"])
        map.way(
            2, map.rectangle(11, 5...6, 5...15), ["indoor": "wall", "area": "yes", "level": "0"])
        map.way(3, map.rectangle(21, 10...11, 10...11), ["indoor": "column", "level": "0"])
        let site = try map.imported()
        #expect(site.document.rooms.map(\.kind) == ["area", "wall", "column"])
        #expect(site.report.counts["walls"] == 1)
        #expect(site.report.counts["rooms"] == nil)
        #expect(site.report.counts["roomsWithoutDoor"] == nil)
    }

    @Test(
        "A shop without tagged walls is entered from the square at its edge"
    )
    func shopFront() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["highway": "pedestrian", "area": "yes"])
        map.node(11, 20, 0)
        map.node(12, 20, 10)
        map.way(2, [2, 11, 12, 3, 2], ["shop": "books", "level": "0"])
        let site = try map.imported()
        #expect(site.notes("guessed-door") == ["w2"])
        #expect(site.floors(of: "w2-n2") == ["-", "l0"])
        #expect(site.rooms(of: "w2-n2") == ["-", "w2"])
        let outside = site.connection("w2-n2")?.stops[0]
        #expect(
            site.document.connections.contains {
                $0.kind == .walk && $0.stops.contains { $0 == outside }
            })
    }

    @Test("A room with walls, or with nothing beside it, has only doors that are drawn")
    func doorless() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "area", "level": "0"])
        map.node(11, 20, 0)
        map.node(12, 20, 10)
        map.way(2, [2, 11, 12, 3, 2], ["indoor": "room", "shop": "books", "level": "0"])
        map.way(3, map.rectangle(31, 30...40, 0...10), ["shop": "shoes", "level": "0"])
        map.way(4, [2, 3], ["highway": "footway"])
        let site = try map.imported()
        #expect(site.notes("guessed-door").isEmpty)
        #expect(site.report.counts["roomsWithoutDoor"] == 2)
    }

    @Test("A shop is entered from an open area at its edge, unless a wall is between")
    func shopInHall() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "corridor", "level": "2"])
        map.node(11, 20, 0)
        map.node(12, 20, 10)
        map.way(2, [2, 11, 12, 3, 2], ["shop": "books", "level": "2"])
        #expect(try map.imported().rooms(of: "w2-n2") == ["w1", "w2"])
        map.way(3, [2, 3], ["indoor": "wall", "level": "2"])
        #expect(try map.imported().notes("guessed-door").isEmpty)
    }

    @Test("A path that ends at the edge of a room leads into it")
    func pathEnd() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["indoor": "room", "level": "3"])
        map.way(
            2, [map.node(21, -10, 0), 1], ["highway": "corridor", "level": "3"])
        let site = try map.imported()
        #expect(site.notes("guessed-door") == ["w1"])
        #expect(site.connection("w1-n1")?.stops[0] == site.connection("w2")?.stops[1])
        #expect(site.rooms(of: "w1-n1") == ["-", "w1"])
    }
}
