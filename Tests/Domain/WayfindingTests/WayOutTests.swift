import Events
import Geometry
import Site
import Testing
import Wayfinding

/// An entrance is a door to the outdoors, and a route to one leads through it.
@Suite("Ways out") struct WayOutTests {
    /// The corridor has a door to the office at one end, and the front door at the other.
    private static let house = DrawnBuilding(
        """
        ###############
        #aaa#         |
        #1aa#         |
        ##+##########
        #hhhhhhhhhhh+==
        #############
        """)

    @Test("The way out ends behind the front door, not in the room that has it")
    func behindTheDoor() throws {
        let query = Drawn.query(Drawn.at("1"), .entrance(nil))
        try Drawn.expect(Self.house, query, "a0 + h0 +")
        guard case .found(let routes) = try Self.house.finder().answer(query) else { return }
        #expect(routes[0].legs.last?.endFloor == nil)
        #expect(routes[0].distanceMetres > 10)
        #expect(routes[0].endRoom == nil)
    }

    @Test("The way to the building ends inside its door")
    func intoTheBuilding() throws {
        let from = RoutePlace.point(floor: nil, Point(x: 14.5, y: -4.5))
        let query = Drawn.query(from, .building(BuildingID("drawn")))
        guard case .found(let routes) = try Self.house.finder().answer(query) else {
            Issue.record("no route")
            return
        }
        #expect(routes[0].endRoom == RoomID("h0"))
        #expect(routes[0].legs.last?.endFloor == FloorID("0"))
    }

    @Test("Without a door to the outside there is no way out, even at ground level")
    func noDoor() throws {
        let building = DrawnBuilding(
            """
            #########
            #1aa+bbb#
            #########
            """)
        let place = RoutePlace.entrance(nil)
        let answer = try building.finder().answer(Drawn.query(Drawn.at("1"), place))
        #expect(answer == .none(.noEntrance(place)))
    }

    @Test("A path that leads outdoors is a way out as well")
    func path() throws {
        var building = DrawnBuilding(
            """
            #########
            #1aa+bbb#
            #########
            """)
        building.edit { document in
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("out"), kind: .walk,
                    stops: [
                        ConnectionStop(
                            floor: FloorID("0"), room: RoomID("b0"), point: [6.5, -1.5]),
                        ConnectionStop(floor: nil, point: [20, -1.5]),
                    ]))
        }
        try Drawn.expect(
            building, Drawn.query(Drawn.at("1"), .entrance(BuildingID("drawn"))), "a0 + b0 =")
    }

    @Test("Every way out of the campus in IMDF ends outdoors")
    func polytech() throws {
        guard let finder = try RealSites.polytech() else { return }
        let site = finder.network.site
        var found = 0
        for room in site.rooms {
            let answer = finder.answer(Drawn.query(.room(room.id), .entrance(nil)))
            guard case .found(let routes) = answer else { continue }
            found += 1
            #expect(routes[0].legs.last.map { $0.endFloor == nil } ?? true, "\(room.id)")
        }
        #expect(found > site.rooms.count / 2)
    }
}
