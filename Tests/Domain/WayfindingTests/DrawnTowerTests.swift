import Events
import Geometry
import Site
import Testing
import Wayfinding

/// Each building is drawn in characters. The expected routes are those that a person who knows the
/// building would choose.
@Suite("Routes between drawn floors") struct DrawnTowerTests {
    static let tower = DrawnBuilding(
        """
        ###########
        #h1hhhhhhS#
        #hhhhhhhhh#
        #hLhhhhhhh#
        ###########
        """,
        """
        ###########
        #hhhhhhhhS#
        #hhhhhhhhh#
        #hLhhhhhhh#
        ###########
        """,
        """
        ###########
        #hhhhhh2hS#
        #hhhhhhhhh#
        #hLhhhhhhh#
        ###########
        """)

    @Test("Up the stairs on foot, by the lift on wheels")
    func stairsOrLift() throws {
        let profiles: [(TravelProfile, String)] = [
            (.walking, "h0 S S h2"), (.stepFreeStrict, "h0 L h2"),
            (.stepFreePreferred, "h0 L h2"), (.wheelchair, "h0 L h2"),
        ]
        for (profile, expected) in profiles {
            try Drawn.expect(
                Self.tower, Drawn.query(Drawn.at("1"), Drawn.at("2"), by: profile), expected)
        }
    }

    @Test("The nearest lift or stairs is found where the map has it only as a connection")
    func connectionsOfKind() throws {
        for (kind, end) in [("lift", "L0.2.3"), ("Aufzug", "L0.2.3"), ("stairs", "S0.9.1")] {
            let answer = try Self.tower.finder().answer(Drawn.query(Drawn.at("1"), .kind(kind)))
            guard case .found(let routes) = answer else {
                Issue.record("\(kind): \(answer)")
                continue
            }
            let stop = try #require(
                Self.tower.document.connections.first { $0.id.text == end }?.stops.first?.point)
            let last = try #require(routes[0].legs.last?.paths.last?.points.last)
            #expect(last.distance(to: stop) < 1e-6, "\(kind): \(last)")
            #expect(routes[0].endRoom == nil)
        }
        let wheels = Drawn.query(
            Drawn.at("1"), .kind("stairs", accessible: true), by: .wheelchair)
        guard case .none(.unknownPlace) = try Self.tower.finder().answer(wheels) else {
            Issue.record("stairs are no place to go to on wheels")
            return
        }
        let handed = try #require(HandedNetwork(try Self.tower.finder().network))
        let lifts = try #require(handed.places.first { $0.name == "kind:lift" })
        #expect(lifts.nodes.count == 3 && lifts.rooms.isEmpty)
    }

    @Test("By the escalator that goes up, and back by the one that goes down")
    func escalators() throws {
        let building = DrawnBuilding(
            """
            #########
            #aaa^aaa#
            #1aaaaaa#
            #aaavaaa#
            #########
            """,
            """
            #########
            #bbb^bbb#
            #bbbbbb2#
            #bbbvbbb#
            #########
            """)
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 ^ b1")
        try Drawn.expect(building, Drawn.query(Drawn.at("2"), Drawn.at("1")), "b1 v a0")
        var onlyDown = TravelProfile.walking
        onlyDown.avoided = [.escalatorsUp]
        let answer = try building.finder().answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2"), by: onlyDown))
        guard case .none(.barriers(let barriers)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(barriers.map(\.connection.text) == ["up0.4.1"])
        #expect(barriers[0].rules == [.avoided(.escalatorsUp)])
    }

    @Test("A lift beside the stairs is worth its wait only from far up", arguments: [1, 2])
    func liftOrStairs(storeys: Int) throws {
        let floor = """
            #######
            #hhhhS#
            #hhhhh#
            #hhhhL#
            #######
            """
        // The marks are different on each floor: 1 on the lower, 2 on the upper.
        let bottom = floor.replacing("#hhhhh#", with: "#1hhhh#")
        let top = floor.replacing("#hhhhh#", with: "#2hhhh#")
        let building =
            storeys == 1
            ? DrawnBuilding(bottom, top)
            : DrawnBuilding(
                bottom, floor, floor, floor, floor, floor, floor, floor, floor, floor, floor, top)
        let expected = storeys == 1 ? "h0 S h1" : "h0 L h11"
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), expected)
    }

    @Test("If one lift is out of service, routes use the other; if both are, there is none")
    func twoLifts() throws {
        let building = DrawnBuilding(
            """
            #################
            #hLhhhhhhhhhhhLh#
            #1hhhhhhhhhhhhhh#
            #################
            """,
            """
            #################
            #hLhhhhhhhhhhhLh#
            #2hhhhhhhhhhhhhh#
            #################
            """)
        let query = Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .stepFreeStrict)
        let since = Timestamp(milliseconds: 1_763_800_000_000)
        let first = WayOutage(connection: ConnectionID("L0.2.1"), from: since, reason: "cable")
        let second = WayOutage(connection: ConnectionID("L0.14.1"), from: since)
        try Drawn.expect(building, query, "h0 L h1")
        let finder = try building.finder()
        guard case .found(let near) = finder.answer(query),
            case .found(let far) = finder.answer(query, outages: [first])
        else {
            Issue.record("no route")
            return
        }
        #expect(far[0].distanceMetres > near[0].distanceMetres + 20)
        let answer = finder.answer(query, outages: [first, second])
        let barrier = Barrier(
            connection: first.connection, kind: .lift,
            rules: [.outage(since: since, until: nil, reason: "cable")], floor: FloorID("0"),
            point: DrawnBuilding.middle(2, 1), rooms: [RoomID("h0"), RoomID("h1")])
        #expect(answer == .none(.barriers([barrier])))
        // Before the outage begins the answer differs, and without outages it is the first one.
        var early = query
        early.departAt = Timestamp(milliseconds: 1_763_799_700_000)
        #expect(finder.answer(early, outages: [first, second]) != answer)
        guard case .found(let again) = finder.answer(query) else {
            Issue.record("no route")
            return
        }
        #expect(again == near)
    }

    @Test("Up, across a bridge and down again")
    func bridge() throws {
        let building = DrawnBuilding(
            """
            #####   #####
            #a1a#   #b2b#
            #aaa#   #bbb#
            #aSa#   #bSb#
            #####   #####
            """,
            """
            #####   #####
            #ccc#####ddd#
            #ccc+eee+ddd#
            #cSc#####dSd#
            #####   #####
            """)
        try Drawn.expect(
            building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "a0 S c1 + e1 + d1 S b0")
        let answer = try building.finder().answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .stepFreeStrict))
        guard case .none(.barriers(let barriers)) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(barriers.map(\.connection.text) == ["S0.2.3", "S0.10.3"])
        #expect(barriers.allSatisfy { $0.rules == [.steps] })
    }

    @Test("A lift that stops only on some floors, and the stairs for the rest")
    func someFloors() throws {
        let building = DrawnBuilding(
            """
            #######
            #1hhhL#
            #hhhhS#
            #######
            """,
            """
            #######
            #hhhhL#
            #hhhhS#
            #######
            """,
            """
            #######
            #2hhhh#
            #hhhhS#
            #######
            """)
        try Drawn.expect(building, Drawn.query(Drawn.at("1"), Drawn.at("2")), "h0 S S h2")
        var down = TravelProfile.stepFreePreferred
        down.avoided = [.stairsDown]
        try Drawn.expect(
            building, Drawn.query(Drawn.at("1"), Drawn.at("2"), by: down), "h0 L h1 S h2")
        let answer = try building.finder().answer(
            Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .wheelchair))
        guard case .none(.barriers(let barriers)) = answer else {
            Issue.record("\(answer)")
            return
        }
        // The lift replaces the lower flight.
        #expect(barriers.map(\.connection.text) == ["S1.5.2"])
    }
}
