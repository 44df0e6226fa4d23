import Events
import Geometry
import Site
import SiteMap
import Testing

@Suite("SiteMap") struct SiteMapTests {
    static func ground() throws -> SiteMap {
        try #require(SiteMap(of: try SmallHouse.site(), floor: FloorID("g")))
    }

    static func feature(_ id: String, _ map: SiteMap) throws -> MapFeature {
        try #require(map.features.first { $0.id == id })
    }

    @Test("A floor with a way out also shows its surroundings, in the order of painting")
    func groundFloor() throws {
        let found = try Self.ground().features.map { "\($0.layer.rawValue) \($0.id)" }
        #expect(
            found == [
                "building annexe", "floor g", "area hall", "area a", "area wc", "area plant",
                "zone quiet", "path street", "stairs stairs", "lift lift", "door door-a",
                "entrance front", "place meet",
            ])
    }

    @Test("A floor without a way out shows no surroundings; an unknown floor has no map")
    func upperFloor() throws {
        let site = try SmallHouse.site()
        let upper = try #require(SiteMap(of: site, floor: FloorID("1")))
        #expect(upper.features.map(\.id) == ["1", "stairs", "lift"])
        #expect(SiteMap(of: site, floor: FloorID("2")) == nil)
    }

    @Test("A door is a gap in its wall, an entrance points out of doors")
    func doors() throws {
        let map = try Self.ground()
        let door = try Self.feature("door-a", map)
        guard case .line(let ends) = door.shape else {
            Issue.record("no line")
            return
        }
        #expect(Set(ends) == [Point(x: 4, y: 4), Point(x: 6, y: 4)])
        #expect(door.isAutomatic == true)
        let front = try Self.feature("front", map)
        let outwards = try #require(front.outwards)
        #expect(outwards.distance(to: Point(x: 0, y: -1)) < 1e-9)
    }

    @Test("A gap stays within its wall, and a door far from any wall is a point")
    func doorsAtEnds() throws {
        let site = try SmallHouse.site { document in
            document.connections[0].stops[0].point.x = 0.2
            document.connections[0].stops[1].point.x = 0.2
            document.connections[1].stops[1].point.y = 2
            document.connections[1].stops[0].point.y = 2
        }
        let map = try #require(SiteMap(of: site, floor: FloorID("g")))
        guard case .line(let ends) = try Self.feature("door-a", map).shape else {
            Issue.record("no line")
            return
        }
        #expect(ends.map(\.x).min() == 0)
        #expect(ends.map(\.x).max() == 2)
        #expect(try Self.feature("front", map).shape == .point(Point(x: 9, y: 2)))
    }

    @Test("Stairs know which end is up, lifts where they stop")
    func waysUp() throws {
        let map = try Self.ground()
        #expect(try Self.feature("stairs", map).rises == false)
        #expect(try Self.feature("lift", map).levels == ["G", "1"])
    }

    @Test("Out of doors are buildings, streets and entrances")
    func outdoors() throws {
        let map = SiteMap(outdoorsOf: try SmallHouse.site())
        #expect(Set(map.features.map(\.id)) == ["house", "annexe", "street", "far", "front"])
        #expect(map.floor == nil)
    }

    @Test("Streets that lead away do not make a floor's map larger")
    func bounds() throws {
        let box = try #require(try Self.ground().bounds())
        #expect(box.minimum.x == 0)
        #expect(box.maximum.x == 20)
    }
}
