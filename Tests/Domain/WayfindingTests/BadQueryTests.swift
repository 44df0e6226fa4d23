import Events
import Geometry
import Site
import Testing
import Wayfinding

@Suite("Queries for places that do not exist") struct BadQueryTests {
    private static let building = DrawnBuilding(
        """
        #########
        #aaa#bbb#
        #1aa+bb2#
        #########
        """)

    @Test("Rooms, locations, floors, kinds and entries that the site lacks are reported")
    func unknown() throws {
        let finder = try Self.building.finder()
        let strange: [RoutePlace] = [
            .room(RoomID("z")), .location(LocationID("9")), .kind("observatory"),
            .point(floor: FloorID("9"), Point(x: 0, y: 0)),
            .point(floor: FloorID("0"), Point(x: 1e12, y: 0)), .entry(DirectoryID("x")),
            .zone(ZoneID("x")), .building(BuildingID("x")),
            .geographic(GeographicPoint(latitude: 91, longitude: 0), level: nil),
            .geographic(GeographicPoint(latitude: 52, longitude: -4), level: "77"),
        ]
        for place in strange {
            let answer = finder.answer(Drawn.query(Drawn.at("1"), place))
            #expect(answer == .none(.unknownPlace(place)))
            #expect(finder.answer(Drawn.query(place, Drawn.at("1"))) == answer)
        }
        // NaN is unequal to itself, so the place in the answer can't be compared.
        let none = RoutePlace.point(floor: FloorID("0"), Point(x: .nan, y: 0))
        guard case .none(.unknownPlace) = finder.answer(Drawn.query(Drawn.at("1"), none)) else {
            Issue.record("a point that is not a number was accepted")
            return
        }
    }

    @Test("One destination that exists is enough")
    func oneOfTwo() throws {
        let finder = try Self.building.finder()
        let answer = finder.answer(
            Drawn.query(Drawn.at("1"), .room(RoomID("z")), Drawn.at("2")))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(routes[0].destination == 1)
    }

    @Test("A traveller who is at the destination gets an empty route")
    func same() throws {
        let finder = try Self.building.finder()
        for (from, to) in [
            (Drawn.at("1"), Drawn.at("1")), (Drawn.at("1"), Drawn.room("a0")),
            (Drawn.room("a0"), Drawn.room("a0")),
        ] {
            guard case .found(let routes) = finder.answer(Drawn.query(from, to)) else {
                Issue.record("\(from) to \(to)")
                continue
            }
            #expect(routes.count == 1)
            #expect(routes[0].legs.isEmpty)
            #expect(routes[0].distanceMetres == 0)
            #expect(routes[0].arriveAt == Drawn.noon)
        }
    }

    @Test("A query without destinations, with too many, or without a speed is refused")
    func malformed() throws {
        let finder = try Self.building.finder()
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        func isMalformed(_ query: RouteQuery) -> Bool {
            if case .none(.malformed) = finder.answer(query) { true } else { false }
        }
        #expect(!isMalformed(query))
        query.to = []
        #expect(isMalformed(query))
        query.to = Array(repeating: Drawn.at("2"), count: RouteQuery.mostDestinations + 1)
        #expect(isMalformed(query))
        query.to = [Drawn.at("2")]
        query.alternatives = -1
        #expect(isMalformed(query))
        query.alternatives = 0
        for speed in [0, -1, 100, Double.nan, .infinity] {
            query.profile.walkingSpeed = speed
            #expect(isMalformed(query))
        }
    }

    @Test("A site without records has no routes")
    func empty() throws {
        var building = Self.building
        building.edit { document in
            document.connections = []
            document.locations = []
        }
        let finder = try building.finder()
        let answer = finder.answer(Drawn.query(Drawn.room("a0"), Drawn.room("b0")))
        #expect(answer == .none(.island(.start)))
    }

    @Test("No way is near a point far outdoors")
    func far() throws {
        let finder = try Self.building.finder()
        let place = RoutePlace.point(floor: nil, Point(x: 4_000, y: 0))
        #expect(finder.answer(Drawn.query(place, Drawn.at("1"))) == .none(.nothingNear(place)))
    }

    @Test(
        "A position in a wall is moved out, and one beside the building into the nearest room")
    func inWall() throws {
        let finder = try Self.building.finder()
        for point in [Point(x: 4.4, y: -1.5), Point(x: -1, y: -2)] {
            let place = RoutePlace.point(floor: FloorID("0"), point, radiusMetres: 4)
            let answer = finder.answer(Drawn.query(place, Drawn.at("2")))
            guard case .found(let routes) = answer else {
                Issue.record("\(point): \(answer)")
                continue
            }
            expectWhole(routes[0], in: finder.network.site)
        }
    }
}
