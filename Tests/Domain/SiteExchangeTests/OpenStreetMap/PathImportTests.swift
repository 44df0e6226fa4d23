import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Import of paths") struct PathImportTests {
    @Test("Streets that cross at a node meet there, and are cut nowhere else")
    func crossing() throws {
        var map = HandMadeMap()
        for (id, x, y) in [(1, 0, 0), (2, 10, 0), (3, 20, 0), (4, 30, 0), (5, 10, 10)] {
            map.node(Int64(id), Double(x), Double(y))
        }
        map.way(1, [1, 2, 3, 4], ["highway": "residential", "name": "Lane", "name:cy": "Lôn"])
        map.way(2, [2, 5], ["highway": "footway", "width": "1.5 m", "surface": "gravel"])
        let site = try map.imported()
        #expect(site.document.connections.map(\.id.text) == ["w1", "w1-n2", "w2"])
        #expect(site.connection("w1")?.stops.last == site.connection("w2")?.stops.first)
        #expect(site.connection("w1-n2")?.line == [[20, 0]])
        #expect(site.connection("w1")?.name == "Lane")
        #expect(site.connection("w1")?.names == Translations(["cy": "Lôn"]))
        #expect(site.connection("w2")?.widthMetres == 1.5)
        #expect(site.connection("w2")?.surface == "gravel")
        #expect(site.report.counts["paths"] == 2)
        #expect(site.document.floors.isEmpty)
    }

    static let walkable: [(tags: [String: String], isPath: Bool)] = [
        (["highway": "footway"], true), (["highway": "motorway"], false),
        (["highway": "trunk"], false), (["highway": "trunk", "foot": "yes"], true),
        (["highway": "cycleway"], true), (["highway": "construction"], false),
        (["highway": "primary", "foot": "use_sidepath"], false),
        (["railway": "rail"], false), (["railway": "platform"], true),
        (["waterway": "river"], false),
        (["highway": "primary", "motorroad": "yes"], false),
    ]

    @Test("Only ways that people may walk along are paths", arguments: walkable)
    func kinds(tags: [String: String], isPath: Bool) throws {
        var map = HandMadeMap()
        map.way(1, [map.node(1, 0, 0), map.node(2, 10, 0)], ["highway": "path"])
        map.way(2, [2, map.node(3, 20, 0)], tags)
        #expect((try map.imported().connection("w2") != nil) == isPath)
    }

    @Test("Ways closed to the public are in the site, never open, and noted")
    func closed() throws {
        var map = HandMadeMap()
        map.way(
            1, [map.node(1, 0, 0), map.node(2, 10, 0)], ["highway": "steps", "access": "private"])
        map.way(
            2, [2, map.node(3, 20, 0)], ["highway": "path", "access": "private", "foot": "yes"])
        let site = try map.imported()
        #expect(site.connection("w1")?.openingHours == "off")
        #expect(site.connection("w2")?.openingHours == nil)
        #expect(site.notes("closed-to-the-public") == ["w1"])
    }

    /// Two corridors on levels 0 and 1, and steps with these tags between their ends.
    private func stairs(_ tags: [String: String], withCorridors: Bool = true) throws -> ImportedSite
    {
        var map = HandMadeMap()
        for (id, x) in [(1, 0), (2, 10), (3, 20), (4, 30)] {
            map.node(Int64(id), Double(x), 0)
        }
        if withCorridors {
            map.way(1, [1, 2], ["highway": "corridor", "level": "1"])
            map.way(3, [3, 4], ["highway": "corridor", "level": "0"])
        }
        map.way(2, [2, 3], tags.merging(["highway": "steps"]) { tag, _ in tag })
        return try map.imported()
    }

    @Test("Steps have at each end the level of what they meet, whatever their list's order")
    func levelsOfEnds() throws {
        for list in ["0;1", "1;0", "0-1"] {
            let site = try stairs(["level": list, "step_count": "12", "wheelchair": "no"])
            #expect(site.floors(of: "w2") == ["l1", "l0"])
            #expect(site.connection("w2")?.kind == .stairs)
            #expect(site.connection("w2")?.steps == 12)
            #expect(site.connection("w2")?.accessible == .no)
            #expect(site.report.noteCount == 0)
        }
    }

    @Test("Steps that meet nothing rise by their incline, or else by the order of their list")
    func incline() throws {
        let up = try stairs(["level": "1;0", "incline": "up"], withCorridors: false)
        #expect(up.floors(of: "w2") == ["l0", "l1"])
        let listed = try stairs(["level": "1;0"], withCorridors: false)
        #expect(listed.floors(of: "w2") == ["l1", "l0"])
        #expect(listed.notes("guessed-level") == ["w2"])
    }

    @Test("A flight whose other end is certain needs no guess")
    func chain() throws {
        var map = HandMadeMap()
        for (id, x) in [(1, 0), (2, 10), (3, 20), (4, 30)] {
            map.node(Int64(id), Double(x), 0)
        }
        map.way(1, [1, 2], ["highway": "corridor", "level": "0"])
        map.way(2, [3, 2], ["highway": "steps", "level": "0;1"])
        map.way(3, [3, 4], ["highway": "steps", "level": "1;2"])
        let site = try map.imported()
        #expect(site.floors(of: "w2") == ["l1", "l0"])
        #expect(site.floors(of: "w3") == ["l1", "l2"])
        #expect(site.report.noteCount == 0)
    }

    @Test("A dog-leg stair drawn over the same two nodes joins each floor to the next only")
    func dogLeg() throws {
        var map = HandMadeMap()
        for (id, x, y) in [(1, 0, 0), (2, 10, 0), (3, -5, 0), (4, 15, 0), (5, -5, 5)] {
            map.node(Int64(id), Double(x), Double(y))
        }
        map.way(1, [3, 1], ["highway": "corridor", "level": "0"])
        map.way(2, [1, 2], ["highway": "steps", "level": "0;1"])
        map.way(3, [2, 4], ["highway": "corridor", "level": "1"])
        map.way(4, [2, 1], ["highway": "steps", "level": "1;2"])
        map.way(5, [1, 5], ["highway": "corridor", "level": "2"])
        let site = try map.imported()
        #expect(site.floors(of: "w2") == ["l0", "l1"])
        #expect(site.floors(of: "w4") == ["l1", "l2"])
        #expect(site.floors(of: "w1") == ["l0", "l0"])
        #expect(site.floors(of: "w5") == ["l2", "l2"])
    }

    @Test("A stairwell drawn as one way over many levels has a flight between each two")
    func stairwell() throws {
        var map = HandMadeMap()
        for (id, x, y) in [(1, 0, 0), (2, 10, 0), (3, -5, 0), (4, -5, 5)] {
            map.node(Int64(id), Double(x), Double(y))
        }
        map.way(1, [1, 2], ["highway": "steps", "level": "0-2"])
        for level in 0...2 {
            map.way(
                Int64(10 + level), [level == 1 ? 4 : 3, 1],
                ["highway": "corridor", "level": "\(level)"])
        }
        let site = try map.imported()
        #expect(site.floors(of: "w1-l0") == ["l0", "l1"])
        #expect(site.floors(of: "w1-l1") == ["l1", "l2"])
        let corridors = ["w10", "w11", "w12"].compactMap { site.connection($0)?.stops[1] }
        let flights = ["w1-l0", "w1-l1"].compactMap { site.connection($0)?.stops }.joined()
        for end in corridors { #expect(flights.contains(end)) }
    }

    @Test("A path without a level has that of the path it meets; elsewhere it is outdoors")
    func untagged() throws {
        var map = HandMadeMap()
        for (id, x) in [(1, 0), (2, 10), (3, 20), (4, 30)] {
            map.node(Int64(id), Double(x), 0)
        }
        map.way(1, [1, 2, 3], ["highway": "footway"])
        map.way(2, [3, 4], ["highway": "corridor", "level": "-1"])
        map.way(3, [2, map.node(5, 10, 10)], ["highway": "footway"])
        let site = try map.imported()
        #expect(site.floors(of: "w1") == ["-", "-"])
        #expect(site.floors(of: "w1-n2") == ["-", "l-1"])
        #expect(site.connection("w1-n2")?.stops[1] == site.connection("w2")?.stops[0])
    }

    @Test("A path that meets nothing on its level joins another level there, and this is noted")
    func deadEnd() throws {
        var map = HandMadeMap()
        for (id, x) in [(1, 0), (2, 10), (3, 20), (4, 30)] {
            map.node(Int64(id), Double(x), 0)
        }
        map.way(1, [1, 2], ["highway": "footway", "level": "3"])
        map.way(2, [2, 3], ["highway": "footway", "level": "1"])
        map.way(3, [2, 4], ["highway": "footway", "level": "1"])
        let site = try map.imported()
        #expect(site.floors(of: "w1") == ["l3", "l1"])
        #expect(site.notes("guessed-level") == ["w1"])
    }

    static let moving: [(conveying: String, floors: [String], isOneWay: Bool)] = [
        ("forward", ["l1", "l0"], true), ("backward", ["l0", "l1"], true),
        ("reversible", ["l1", "l0"], false), ("yes", ["l1", "l0"], false),
    ]

    @Test("Escalators go one way, in the order of their stops", arguments: moving)
    func escalators(conveying: String, floors: [String], isOneWay: Bool) throws {
        let site = try stairs(["level": "0;1", "conveying": conveying])
        #expect(site.connection("w2")?.kind == .escalator)
        #expect(site.floors(of: "w2") == floors)
        #expect(site.connection("w2")?.isOneWay == isOneWay)
        #expect(site.report.counts["escalators"] == 1)
        #expect(site.notes("guessed-direction") == (conveying == "yes" ? ["w2"] : []))
    }

    @Test("One-way streets bind vehicles; one-way corridors and `oneway:foot` bind people")
    func oneWays() throws {
        var map = HandMadeMap()
        map.way(
            1, [map.node(1, 0, 0), map.node(2, 10, 0)], ["highway": "residential", "oneway": "yes"])
        map.way(
            2, [2, map.node(3, 20, 0)], ["highway": "corridor", "level": "0", "oneway": "yes"])
        map.way(
            3, [3, map.node(4, 30, 0)], ["highway": "path", "oneway:foot": "-1", "incline": "8%"])
        map.way(
            4, [4, map.node(5, 40, 0)],
            ["highway": "footway", "bicycle": "yes", "oneway": "yes"])
        let site = try map.imported()
        #expect(site.document.connections.filter(\.isOneWay).map(\.id.text) == ["w2", "w3"])
        #expect(site.connection("w3")?.stops.first?.point.x == 30)
        #expect(site.connection("w3")?.slope == -0.08)
    }

    @Test("The kerb at a crossing's end is the crossing's, not the pavement's")
    func kerbs() throws {
        var map = HandMadeMap()
        map.way(
            1, [map.node(1, 0, 0), map.node(2, 10, 0, ["kerb": "raised"])], ["highway": "footway"])
        map.way(
            2, [2, map.node(3, 10, 8, ["kerb": "lowered"])],
            ["highway": "footway", "footway": "crossing"])
        let site = try map.imported()
        #expect(site.connection("w1")?.kerbMetres == nil)
        #expect(site.connection("w2")?.kerbMetres == 0.1)
    }

    @Test("A way keeps the stretches whose nodes the file has")
    func dangling() throws {
        var map = HandMadeMap()
        for (id, x) in [(1, 0), (2, 10), (4, 30), (5, 40)] {
            map.node(Int64(id), Double(x), 0)
        }
        map.way(1, [1, 2, 3, 4, 5], ["highway": "footway"])
        map.way(2, [3, 6], ["highway": "footway"])
        let site = try map.imported()
        #expect(site.document.connections.map(\.id.text) == ["w1", "w1-s2"])
        #expect(site.notes("dangling-reference") == ["w1", "w2"])
        #expect(site.notes("too-few-points") == ["w2"])
    }

    @Test("A ring that nothing meets keeps its whole length")
    func ring() throws {
        var map = HandMadeMap()
        map.way(1, map.rectangle(1, 0...10, 0...10), ["highway": "footway"])
        let site = try map.imported()
        #expect(site.document.connections.map(\.id.text) == ["w1", "w1-n3"])
    }

    @Test("Ways over unknown levels are left out and noted")
    func unknownLevel() throws {
        var map = HandMadeMap()
        map.way(1, [map.node(1, 0, 0), map.node(2, 10, 0)], ["highway": "footway"])
        map.way(2, [2, map.node(3, 20, 0)], ["highway": "corridor", "level": "EG"])
        let site = try map.imported()
        #expect(site.document.connections.map(\.id.text) == ["w1"])
        #expect(site.notes("unknown-level") == ["w2"])
    }
}
