import Events
import Geometry
import Site
import Testing
import Wayfinding

@Suite("Following a route") struct RouteGuidanceTests {
    /// East along a corridor for 14 m, then south into a room.
    private static func corridor() throws -> (finder: WayFinder, route: IndoorRoute) {
        let building = DrawnBuilding(
            """
            ####################
            #hhhhhhhhhhhhhhhhhh#
            #1hhhhhhhhhhhhhhhhh#
            ###############+####
            #bbbbbbbbbbbbbbaaaa#
            #bbbbbbbbbbbbbba2aa#
            ####################
            """)
        let finder = try building.finder()
        let answer = finder.answer(Drawn.query(Drawn.at("1"), Drawn.at("2")))
        guard case .found(let routes) = answer else { throw NoRouteFound() }
        return (finder, routes[0])
    }

    private struct NoRouteFound: Error {}

    private static func position(
        _ x: Double, _ y: Double, radius: Double = 1, heading: Double? = nil
    ) -> TravellerPosition {
        TravellerPosition(
            floor: FloorID("0"), point: Point(x: x, y: y), radiusMetres: radius,
            headingDegrees: heading, headingErrorDegrees: heading.map { _ in 10 })
    }

    @Test("A traveller who follows the route is on it, and the rest gets shorter")
    func progress() throws {
        let (finder, route) = try Self.corridor()
        let begin = try #require(finder.progress(of: Self.position(1.5, -2.5), on: route))
        let half = try #require(finder.progress(of: Self.position(8, -2), on: route))
        #expect(begin.metresAlong < 0.01)
        #expect(abs(begin.metresLeft - route.distanceMetres) < 0.01)
        #expect(!half.isOff)
        #expect((6.0...7).contains(half.metresAlong))
        #expect(abs(half.metresAlong + half.metresLeft - route.distanceMetres) < 1e-6)
        #expect(half.secondsLeft < begin.secondsLeft)
        // The next turn is at the room's door.
        #expect((6.5...8.5).contains(half.metresToNextTurn))
    }

    @Test("A traveller is off the route only beyond the position's error")
    func off() throws {
        let (finder, route) = try Self.corridor()
        let sure = try #require(finder.progress(of: Self.position(3, -9, radius: 1), on: route))
        let vague = try #require(finder.progress(of: Self.position(3, -9, radius: 6), on: route))
        #expect(sure.isOff)
        #expect(!vague.isOff)
        #expect(sure.metresOff == vague.metresOff)
    }

    @Test("On a floor that is not on the route there is no progress")
    func otherFloor() throws {
        let (finder, route) = try Self.corridor()
        let position = TravellerPosition(
            floor: nil, point: Point(x: 1.5, y: -2.5), radiusMetres: 1)
        #expect(finder.progress(of: position, on: route) == nil)
    }

    @Test("The arrow points along the corridor, by true north, with the turn to make")
    func arrow() throws {
        let (finder, route) = try Self.corridor()
        let position = Self.position(4, -2.5, radius: 1, heading: 0)
        let guidance = finder.guidance(for: position, on: route)
        let arrow = try #require(guidance.arrow)
        #expect((85.0...95).contains(arrow.bearingDegrees))
        #expect((85.0...95).contains(try #require(arrow.turnDegrees)))
        // The position adds asin(1/5), which is 11.5 degrees, and the heading 10.
        #expect((20.0...24).contains(arrow.accuracyDegrees))
        #expect(arrow.target.x > 8)
    }

    @Test("In a rotated frame, bearings are still from true north")
    func turnedFrame() throws {
        var building = DrawnBuilding(
            """
            ############
            #1hhhhhhhh2#
            ############
            """)
        building.edit { $0.bearingDegrees = 300 }
        let finder = try building.finder()
        guard
            case .found(let routes) = finder.answer(Drawn.query(Drawn.at("1"), Drawn.at("2")))
        else { throw NoRouteFound() }
        let guidance = finder.guidance(for: Self.position(2, -1.5), on: routes[0])
        // The x axis is 90 degrees clockwise from the y axis, which points to 300 degrees.
        #expect(abs(try #require(guidance.arrow).bearingDegrees - 30) < 3)
    }

    @Test("An imprecise position gives an imprecise arrow")
    func vague() throws {
        let (finder, route) = try Self.corridor()
        let guidance = finder.guidance(for: Self.position(4, -2.5, radius: 50), on: route)
        #expect(guidance.arrow?.accuracyDegrees == 180)
        #expect(guidance.arrow?.turnDegrees == nil)
    }

    @Test("Cards show the rooms around with their directions, the nearest first")
    func cards() throws {
        let (finder, _) = try Self.corridor()
        let guidance = finder.guidance(
            for: Self.position(4, -2.5), on: nil, cardsWithinMetres: 12)
        #expect(guidance.arrow == nil)
        #expect(guidance.cards.map(\.room.text) == ["h0", "b0", "a0"])
        #expect(guidance.cards[0].distanceMetres == 0)
        let card = guidance.cards[2]
        #expect((90.0...140).contains(card.bearingDegrees))
        let frame = finder.network.site.frame
        #expect(frame.point(card.geographic).distance(to: card.middle) < 0.001)
        let few = finder.guidance(for: Self.position(4, -2.5), on: nil, mostCards: 1)
        #expect(few.cards.count == 1)
    }

    @Test("Before a lift the arrow points to the lift, not beyond it")
    func lift() throws {
        let finder = try DrawnTowerTests.tower.finder()
        guard
            case .found(let routes) = finder.answer(
                Drawn.query(Drawn.at("1"), Drawn.at("2"), by: .stepFreeStrict))
        else { throw NoRouteFound() }
        let guidance = finder.guidance(for: Self.position(2.2, -1.5), on: routes[0])
        let arrow = try #require(guidance.arrow)
        // The lift is two metres to the south. The arrow ignores the route after the lift.
        #expect(arrow.target.distance(to: Point(x: 2.5, y: -3.5)) < 0.5)
        #expect((160.0...200).contains(arrow.bearingDegrees))
    }
}
