import Events
import Geometry
import Site
import SiteExchange
import Testing

@Suite("Import of what hand and foot find") struct TouchImportTests {
    /// Outdoor steps between two paths, with these tags.
    private func steps(_ tags: [String: String]) throws -> ConnectionRecord? {
        var map = HandMadeMap()
        for (id, x) in [(1, 0), (2, 10), (3, 14), (4, 30)] { map.node(Int64(id), Double(x), 0) }
        map.way(1, [1, 2], ["highway": "path", "tactile_paving": "yes"])
        map.way(2, [2, 3], tags.merging(["highway": "steps"]) { tag, _ in tag })
        map.way(3, [3, 4], ["highway": "path", "tactile_paving": "incorrect"])
        let site = try map.imported()
        #expect(site.connection("w1")?.hasTactilePaving == true)
        #expect(site.connection("w3")?.hasTactilePaving == nil)
        return site.connection("w2")
    }

    static let handrails: [(tags: [String: String], handrail: Handrail?)] = [
        (["handrail": "yes"], .unstated), (["handrail": "no"], .missing),
        (["handrail": "both"], .both), (["handrail": "left"], .left),
        (["handrail": "right"], .right), (["handrail:left": "yes"], .left),
        (["handrail:right": "yes", "handrail": "yes"], .right),
        (["handrail:left": "yes", "handrail:right": "yes"], .both),
        (["handrail:left": "no", "handrail:right": "no"], .missing),
        (["handrail:left": "yes", "handrail:right": "no"], .left),
        (["handrail:left": "no"], nil), (["handrail:center": "yes"], .unstated),
        (["handrail": "perhaps"], nil), ([:], nil),
    ]

    @Test("Handrails have the sides of the way", arguments: handrails)
    func handrail(tags: [String: String], handrail: Handrail?) throws {
        let stairs = try steps(tags)
        #expect(stairs?.handrail == handrail)
    }

    @Test("Facts that do not fit are left out, with a note")
    func unfitting() throws {
        var map = HandMadeMap()
        map.way(
            1, [map.node(1, 0, 0), map.node(2, 9, 0)],
            ["highway": "steps", "conveying": "forward", "step_count": "20", "handrail": "both"])
        let site = try map.imported()
        let escalator = try #require(site.connection("w1"))
        #expect(escalator.kind == .escalator && escalator.handrail == .both)
        #expect(escalator.steps == nil)
        let notes = site.report.notes.filter { $0.what.rawValue == "fact-unfitting" }
        #expect(
            notes.map(\.detail) == [
                "left out: steps is no fact of the kind escalator, but of stairs"
            ])
    }

    @Test("Steps that are walked backwards alone have their sides and direction turned round")
    func backward() throws {
        let tags = [
            "incline": "up", "oneway": "-1", "handrail": "left", "step_count": "7",
        ]
        let stairs = try #require(try steps(tags))
        #expect(stairs.isOneWay && stairs.leads == .down && stairs.handrail == .right)
        #expect(stairs.steps == 7 && stairs.stops[0].point.x > stairs.stops[1].point.x)
        let forward = try #require(try steps(["incline": "up"]))
        #expect(forward.leads == .up && forward.slope == nil)
        let sloping = try #require(try steps(["incline": "40%"]))
        #expect(sloping.leads == nil && sloping.slope == 0.4)
    }

    @Test("Bridges, tunnels and roofs outdoors are off the ground")
    func offGround() throws {
        let tags = [
            ["bridge": "viaduct"], ["tunnel": "building_passage"], ["covered": "yes"],
            ["bridge": "no"], ["layer": "1"], ["bridge": "yes", "level": "1"],
        ]
        var map = HandMadeMap()
        for (number, tags) in tags.enumerated() {
            let id = Int64(number) + 1
            let (start, end) = (
                map.node(2 * id, 0, Double(id) * 9), map.node(2 * id + 1, 9, Double(id) * 9)
            )
            map.way(id, [start, end], tags.merging(["highway": "footway"]) { tag, _ in tag })
        }
        let site = try map.imported()
        let marked = site.document.connections.filter(\.isOffGround).map(\.id.text)
        #expect(marked == ["w1", "w2", "w3"])
    }

    /// A door between two rooms, with these tags.
    private func door(_ tags: [String: String]) throws -> ImportedSite {
        var map = HandMadeMap()
        let room = ["indoor": "room", "level": "0", "surface": "carpet", "tactile_paving": "no"]
        map.way(1, map.rectangle(1, 0...10, 0...10), room)
        map.node(9, 10, 5, tags)
        map.node(5, 20, 0)
        map.node(6, 20, 10)
        map.way(2, [2, 5, 6, 3, 9, 2], ["indoor": "room", "level": "0"])
        map.data.ways[0].nodes = [1, 2, 9, 3, 4, 1]
        return try map.imported()
    }

    @Test(
        "Doors have their kind and their glass",
        arguments: [
            ("hinged", DoorKind?.some(.hinged)), ("sliding", .sliding), ("revolving", .revolving),
            ("folding", .folding), ("yes", nil), ("double", nil),
        ])
    func doorKind(word: String, kind: DoorKind?) throws {
        let site = try door(["door": word, "material": "glass"])
        let door = try #require(site.document.connections.first { $0.kind == .door })
        #expect(door.doorKind == kind && door.isGlass == true)
        let other = try self.door(["door": word, "material": "wood"])
        #expect(other.document.connections.first { $0.kind == .door }?.isGlass == nil)
        #expect(site.room("w1")?.surface == "carpet")
        #expect(site.room("w1")?.hasTactilePaving == false)
        #expect(site.room("w2")?.surface == nil)
    }
}
