import Events
import Geometry
import SeededRandomness
import Site
import Testing
import Wayfinding

@Suite("Alternatives") struct AlternativeTests {
    /// The rooms and connections of a route in order, as a traveller sees it.
    private static func passages(_ route: IndoorRoute) -> [RouteLeg.Passage] {
        route.legs.map(\.passage)
    }

    private static func expectDifferent(
        _ routes: [IndoorRoute], _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (index, route) in routes.enumerated() {
            for other in routes[..<index] {
                // An alternative through the same rooms leads around a block in one of them.
                let isLonger = abs(route.distanceMetres - other.distanceMetres) > 0.5
                #expect(
                    passages(route) != passages(other) || isLonger, "\(words)",
                    sourceLocation: sourceLocation)
            }
        }
    }

    @Test("The other side of a pillar is no alternative")
    func pillar() throws {
        let building = DrawnBuilding(
            """
            ###############
            #aaa#hhhhh#bbb#
            #1aa+hh#hh+bb2#
            #aaa#hhhhh#bbb#
            ###############
            """)
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.alternatives = 3
        guard case .found(let routes) = try building.finder().answer(query) else {
            Issue.record("no route")
            return
        }
        #expect(routes.count == 1)
    }

    @Test("Another door is an alternative")
    func doors() throws {
        let building = DrawnBuilding(
            """
            ###############
            #aaa+hhhhh+bbb#
            #1aa#hhhhh#bb2#
            #aaa+ggggg+bbb#
            ###############
            """)
        var query = Drawn.query(Drawn.at("1"), Drawn.at("2"))
        query.alternatives = 3
        guard case .found(let routes) = try building.finder().answer(query) else {
            Issue.record("no route")
            return
        }
        #expect(Set(routes.map { Drawn.words($0) }) == ["a0 + h0 + b0", "a0 + g0 + b0"])
    }

    @Test(
        "In real buildings alternatives differ in their rooms and doors, or in their length",
        arguments: 0..<2)
    func real(number: Int) throws {
        guard
            let finder = number == 0 ? try RealSites.house() : try RealSites.polytech()
        else { return }
        let rooms = finder.network.site.rooms.map(\.id)
        var random = SeededRandom(seed: 4)
        var more = 0
        for _ in 0..<200 {
            let from = rooms[Int.random(in: rooms.indices, using: &random)]
            let to = rooms[Int.random(in: rooms.indices, using: &random)]
            var query = Drawn.query(.room(from), .room(to))
            query.alternatives = 3
            guard case .found(let routes) = finder.answer(query) else { continue }
            Self.expectDifferent(routes, "\(from) to \(to)")
            if routes.count > 1 { more += 1 }
        }
        #expect(more > (number == 0 ? 50 : 5), "\(more) with alternatives")
    }
}
