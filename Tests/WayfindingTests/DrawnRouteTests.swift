import Events
import Geometry
import Site
import Testing
import Wayfinding

/// Each building is drawn; each route is the one that a person who knows it would name.
@Suite("Routes through drawn buildings") struct DrawnRouteTests {
    static let noon = Timestamp(milliseconds: 1_763_812_800_000)

    static func query(
        _ from: RoutePlace, _ to: RoutePlace..., by profile: TravelProfile = .walking
    ) -> RouteQuery {
        RouteQuery(from: from, to: to, profile: profile, departAt: noon)
    }

    static func room(_ id: String) -> RoutePlace { .room(RoomID(id)) }
    static func at(_ id: String) -> RoutePlace { .location(LocationID(id)) }

    /// Rooms by their names and connections by their marks: `a0 + h0 S h1`.
    static func words(_ answer: RouteAnswer) -> String {
        switch answer {
        case .found(let routes): words(routes[0])
        case .none(let reason): "\(reason)"
        }
    }

    static func words(_ route: Route) -> String {
        var words: [String] = []
        for leg in route.legs {
            let word =
                switch leg.passage {
                case .room(let room): room.text
                case .approach: "~"
                case .connection(let id, let kind):
                    switch kind {
                    case .door: "+"
                    case .walk: "="
                    case .stairs: "S"
                    case .lift: "L"
                    case .platformLift: "P"
                    case .ramp: "R"
                    case .escalator: id.text.hasPrefix("up") ? "^" : "v"
                    }
                }
            if word != "=" || words.last != "=" { words.append(word) }
        }
        return words.joined(separator: " ")
    }

    static func expect(
        _ building: DrawnBuilding, _ query: RouteQuery, _ expected: String,
        outages: [WayOutage] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let finder = try building.finder()
        let answer = finder.answer(query, outages: outages)
        #expect(words(answer) == expected, sourceLocation: sourceLocation)
        if case .found(let routes) = answer {
            for route in routes {
                expectWhole(route, in: finder.network.site, sourceLocation: sourceLocation)
            }
        }
    }

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
        try Self.expect(building, Self.query(Self.at("1"), Self.at("2")), "a0 + b0")
        try Self.expect(building, Self.query(Self.room("a0"), Self.room("b0")), "a0 +")
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
        try Self.expect(
            building, Self.query(Self.at("1"), Self.at("5")), "a0 + h0 + e0")
        try Self.expect(building, Self.query(Self.room("b0"), Self.room("c0")), "b0 +")
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
        let answer = finder.answer(Self.query(Self.at("1"), Self.at("2")))
        guard case .found(let routes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(Self.words(routes[0]) == "a0")
        // From (6.5, -1.5) over about (2.8, -2.8) to (1.5, -5.5).
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
        guard case .found(let routes) = finder.answer(Self.query(Self.at("1"), Self.at("2")))
        else {
            Issue.record("no route")
            return
        }
        #expect(Self.words(routes[0]) == "a0")
        #expect((8.6...9.8).contains(routes[0].distanceMetres))
        expectWhole(routes[0], in: finder.network.site)
    }

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
            try Self.expect(
                Self.tower, Self.query(Self.at("1"), Self.at("2"), by: profile), expected)
        }
    }
}
