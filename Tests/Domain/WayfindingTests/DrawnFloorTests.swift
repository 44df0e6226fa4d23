import Events
import Geometry
import Site
import Testing
import Wayfinding

/// Each building is drawn in characters. The expected routes are those that a person who knows the
/// building would choose.
@Suite("Routes on one drawn floor") struct DrawnFloorTests {
    @Test("Through one door into the next room")
    func oneDoor() throws {
        let building = DrawnBuilding(
            """
            #########
            #aaa#bbb#
            #a1a+b2b#
            #aaa#bbb#
            #########
            """)
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 + b0")
        try Drawn.expect(building, Drawn.query(Drawn.room("a0"), Drawn.room("b0")), "a0 +")
    }

    @Test("Along a corridor, not through the offices that are joined to each other")
    func corridor() throws {
        let building = DrawnBuilding(
            """
            ###################
            #aaa#bbb#ccc#ddd#e#
            #a1a#bbb+ccc#ddd#5#
            ##+###+###+###+##+#
            #hhhhhhhhhhhhhhhhh#
            ###################
            """)
        try Drawn.expect(
            building, Drawn.query(Drawn.at("1"), Drawn.at("5")), "a0 + h0 + e0")
        try Drawn.expect(building, Drawn.query(Drawn.room("b0"), Drawn.room("c0")), "b0 +")
    }

    @Test("Around the corner of a room like an L")
    func corner() throws {
        let building = DrawnBuilding(
            """
            ########
            #aaaaa1#
            #aaaaaa#
            #aa#####
            #aa#
            #2a#
            ####
            """)
        let finder = try building.finder()
        let answer = finder.answer(Drawn.query(Drawn.at("1"), Drawn.at("2")))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(Drawn.words(routes[0]) == "a0")
        // The line leads from (6.5, -1.5) over about (2.8, -2.8) to (1.5, -5.5).
        #expect((6.9...7.4).contains(routes[0].distanceMetres))
        #expect(routes[0].legs[0].paths[0].points.count == 3)
        expectWhole(routes[0], in: finder.network.site)
    }

    @Test("Around a pillar in the middle of a hall")
    func pillar() throws {
        let building = DrawnBuilding(
            """
            ###########
            #aaaaaaaaa#
            #aaa###aaa#
            #1aa###aa2#
            #aaa###aaa#
            #aaaaaaaaa#
            #aaaaaaaaa#
            ###########
            """)
        let finder = try building.finder()
        guard case .found(let routes) = finder.answer(Drawn.query(Drawn.at("1"), Drawn.at("2")))
        else {
            Issue.record("no route")
            return
        }
        #expect(Drawn.words(routes[0]) == "a0")
        #expect((8.6...9.8).contains(routes[0].distanceMetres))
        expectWhole(routes[0], in: finder.network.site)
    }

    @Test("Two ways round a block: the shorter first, the other as its alternative")
    func alternatives() throws {
        let building = DrawnBuilding(
            """
            ###################
            #aaaaaaaaaaaaaaaaa#
            #aa#############aa#
            #1a#           #a2#
            #aa#           #aa#
            #aa#############aa#
            #aaaaaaaaaaaaaaaaa#
            ###################
            """)
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.alternatives = 2
        let finder = try building.finder()
        guard case .found(let routes) = finder.answer(query) else {
            Issue.record("no route")
            return
        }
        try #require(routes.count == 2)
        #expect(routes[0].distanceMetres < routes[1].distanceMetres)
        for route in routes { expectWhole(route, in: finder.network.site) }
        let heights = routes.map { route in
            route.legs[0].paths[0].points.map(\.y).min() ?? 0
        }
        // One route is above the block, the other below it.
        #expect(heights[0] > -4)
        #expect(heights[1] < -5)
    }

    @Test("Through a chain of rooms when there is no corridor")
    func chain() throws {
        let building = DrawnBuilding(
            """
            #############
            #aa#bb#cc#dd#
            #1a+bb+cc+d2#
            #############
            """)
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 + b0 + c0 + d0")
    }

    @Test("To and from a room without a door the route is approximate and states it")
    func island() throws {
        let building = DrawnBuilding(
            """
            #############
            #aaa#bbb#ccc#
            #1aa+bbb#c2c#
            #############
            """)
        let finder = try building.finder()
        func route(_ from: String, _ to: String) throws -> IndoorRoute {
            let answer = finder.answer(Drawn.query(Drawn.at(from), Drawn.at(to)))
            guard case .found(let routes) = answer else {
                Issue.record("\(answer)")
                throw CancellationError()
            }
            return routes[0]
        }
        #expect(try route("1", "2").approximateEnd?.missing == .door)
        #expect(try route("1", "2").approximateStart == nil)
        #expect(try route("2", "1").approximateStart?.room == RoomID("c0"))
    }

    @Test("Two buildings without a way between them")
    func twoIslands() throws {
        let building = DrawnBuilding(
            """
            ######### #########
            #aaa+bbb# #ccc+ddd#
            #1aa#bbb# #ccc#d2d#
            ######### #########
            """)
        let answer = try building.finder().answer(Drawn.query(Drawn.at("1"), Drawn.at("2")))
        #expect(answer == .none(.island(.between)))
    }

    @Test("The walk along a corridor lists the doors that it passes")
    func landmarks() throws {
        let building = DrawnBuilding(
            """
            ###################
            #aaa#bbb#ccc#ddd###
            #aaa#bbb#ccc#ddd###
            ##+###+###+###+####
            #hhhhhhhhhhhhhhhhh#
            ########+##########
                   #eee#
                   #####
            """)
        let finder = try building.finder()
        guard
            case .found(let routes) = finder.answer(Drawn.query(Drawn.room("a0"), Drawn.room("d0")))
        else {
            Issue.record("no route")
            return
        }
        let corridor = routes[0].legs.first { $0.passage == .room(RoomID("h0")) }
        let passed = (corridor?.passed ?? []).map { "\($0.room) \($0.side)" }
        #expect(passed == ["b0 left", "e0 right", "c0 left"])
    }

    static let yard = DrawnBuilding(
        """
        #######     #######
        #aaaaa#     #bbbbb#
        #a1aaa+=====+bbb2b#
        #aaaaa#     #bbbbb#
        ###+############+##
          #ccccccccccccccc#
          #################
        """)

    @Test("Across the yard rather than through the cellar passage")
    func outdoors() throws {
        try Drawn.expect(Self.yard, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 + = + b0")
    }

    @Test("Through the cellar passage when the yard's door is out of order")
    func outdoorsClosed() throws {
        let outage = WayOutage(
            connection: ConnectionID("door0.6.2"), from: Timestamp(milliseconds: 0))
        try Drawn.expect(
            Self.yard, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 + c0 + b0", outages: [outage])
    }

    @Test("A route may end in the staff room but not lead through it")
    func restricted() throws {
        var building = DrawnBuilding(
            """
            #############
            #aaa+sss+bbb#
            #1aa#s3s#b2b#
            ##+######+###
            #hhhhhhhhhhh#
            #############
            """)
        building.edit(RoomID("s0")) { $0.isRestricted = true }
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 + h0 + b0")
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("3")), "a0 + s0")
        try Drawn.expect(building, Drawn.query(Drawn.room("a0"), Drawn.room("s0")), "a0 +")
        let finder = try building.finder()
        let outage = WayOutage(
            connection: ConnectionID("door0.9.3"), from: Timestamp(milliseconds: 0))
        let answer = finder.answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2")), outages: [outage])
        #expect(answer != finder.answer(Drawn.query(Drawn.at("1"), Drawn.at("2"))))
        guard case .none(.barriers(let barriers)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(barriers.count == 1)
    }
}
