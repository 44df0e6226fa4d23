import Events
import Testing
import Wire

@Suite("A route as a page shows it") struct ShownRouteTests {
    private static func answer(spoken: String) -> [UInt8] {
        Array(
            """
            {"found": true, "routes": [{"distanceMetres": 35, "seconds": 34, "endRoom": "B",
              "arriveAt": "2026-11-22T00:02:00.000Z", "instructions": [{"text": "Walk."}],
              "spoken": [\(spoken)],
              "legs": [{"room": "A", "distanceMetres": 10, "seconds": 8},
                {"distanceMetres": 5, "seconds": 10}, {"distanceMetres": 20, "seconds": 16}]}]}
            """.utf8)
    }

    @Test("By touch the length is that of the steps, stairs have that of their leg, as in the app")
    func spoken() throws {
        let spoken = """
            {"text": "A.", "leg": 0, "distanceMetres": 15}, {"text": "B.", "leg": 1},
            {"text": "C.", "leg": 2, "distanceMetres": 12},
            {"text": "D.", "leg": 2, "distanceMetres": 18}
            """
        guard case .route(let route) = try ShownRoute.answer(json: Self.answer(spoken: spoken))
        else {
            Issue.record("there is a route")
            return
        }
        #expect(route.metres == 15 + 5 + 12 + 18)
        // The walls of the first and the third leg are half as long again as its line.
        #expect(route.seconds == 12 + 10 + 24)
        #expect(route.arriveAt.milliseconds % 60_000 == 12_000)
        #expect(route.steps == ["A.", "B.", "C.", "D."])
    }

    @Test("Without such steps the length is that of the route")
    func written() throws {
        guard case .route(let route) = try ShownRoute.answer(json: Self.answer(spoken: "")) else {
            Issue.record("there is a route")
            return
        }
        #expect(route.metres == 35 && route.seconds == 34 && route.steps == ["Walk."])
    }
}
