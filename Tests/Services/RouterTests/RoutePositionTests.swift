import Events
import ServiceBench
import Testing

@testable import Router

@Suite("A route from a device's position") struct RoutePositionTests {
    private static let id = EventID(high: 8, low: 1)
    private static let fromPosition =
        #""from": {"position": "\#(id)"}, "to": [{"room": "B"}]"#
    private static let fromPhone =
        #""from": {"device": "phone", "maximumAgeSeconds": 60}, "to": [{"room": "B"}]"#

    private static func position(
        site: String = "house", at: String = "2026-11-22T00:00:00Z", x: String = #", "x": 1"#
    ) -> String {
        #"{"site": "\#(site)", "floor": "g", "y": 1, "radius95": 0.5, "at": "\#(at)"\#(x)}"#
    }

    @Test("asks the locator for the position with the caller's own token, and starts there")
    func asked() async throws {
        let router = try await RouterBench()
        let token = router.visitor()
        router.locatorAnswers(200, Self.position())
        let answer = try await router.route(Self.fromPosition, token)
        #expect(answer.status == 200 && answer["found"] == "true")
        #expect(
            router.asked == [
                .init(path: "/v1/positions/\(Self.id)", authorization: "Bearer \(token)")
            ])
    }

    @Test("uses the newest position of a device, unless it is older than the client allows")
    func age() async throws {
        let router = try await RouterBench()
        let token = router.visitor()
        router.locatorAnswers(200, #"{"positions": [\#(Self.position())]}"#)
        #expect(try await router.route(Self.fromPhone, token).status == 200)
        #expect(router.asked.map(\.path) == ["/v1/positions/latest?site=house&device=phone"])
        router.bench.pass(seconds: 60)
        #expect(try await router.route(Self.fromPhone, token).status == 200)
        router.bench.pass(seconds: 1)
        #expect(try await router.route(Self.fromPhone, token).code == "position-too-old")
    }

    @Test(
        "is refused where the locator does not give the position",
        arguments: [
            (401, "{}", 403, "position-not-yours"), (403, "{}", 403, "position-not-yours"),
            (404, "{}", 404, "position-unknown"), (500, "{}", 503, "locator-unreachable"),
            (200, position(site: "other"), 404, "position-unknown"),
            (200, #"{"positions": []}"#, 404, "position-unknown"),
            (200, position(x: ""), 409, "position-lost"),
        ] as [(Int, String, Int, String)])
    func refused(status: Int, body: String, own: Int, code: String) async throws {
        let router = try await RouterBench()
        router.locatorAnswers(status, body)
        let answer = try await router.route(Self.fromPosition, router.visitor())
        #expect(answer.status == own && answer.code == code)
    }

    @Test("names the device of which there is no position")
    func unknownDevice() async throws {
        let router = try await RouterBench()
        router.locatorAnswers(404, "{}")
        let answer = try await router.route(Self.fromPhone, router.visitor())
        #expect(answer.code == "position-unknown")
        #expect(answer["detail"] == "This site has no position of the device phone.")
    }
}

@Suite("POST /v1/guidance") struct GuidanceTests {
    private func guide(
        _ router: RouterBench, from: String = "", x: Double, y: Double
    ) async throws -> Answer {
        let position = #"{"floor": "g", "x": \#(x), "y": \#(y)}"#
        return try await router.app.send(
            "POST", "/v1/guidance", token: router.visitor(),
            body: #"{\#(from)"to": [{"room": "B"}], "position": \#(position)}"#)
    }

    private static let fromA = #""from": {"room": "A"}, "#

    @Test("keeps the route of a traveller on it, and makes a new one for one who has left it")
    func rerouted() async throws {
        let router = try await RouterBench()
        let on = try await guide(router, from: Self.fromA, x: 3, y: 2)
        #expect(on.status == 200 && on["rerouted"] == "false")
        // A point in the street, 20 m from the building.
        let position = #"{"x": 2, "y": -20}"#
        let off = try await router.app.send(
            "POST", "/v1/guidance", token: router.visitor(),
            body: #"{\#(Self.fromA)"to": [{"room": "B"}], "position": \#(position)}"#)
        #expect(off.status == 200 && off["rerouted"] == "true")
    }

    @Test("begins at the position where no start is named, which does not count as rerouting")
    func begun() async throws {
        let router = try await RouterBench()
        let answer = try await guide(router, x: 3, y: 2)
        #expect(answer.status == 200 && answer["rerouted"] == "false")
    }

    @Test("refuses a floor that the site does not have")
    func floor() async throws {
        let router = try await RouterBench()
        let answer = try await router.app.send(
            "POST", "/v1/guidance", token: router.visitor(),
            body: #"{"to": [{"room": "B"}], "position": {"floor": "roof", "x": 1, "y": 1}}"#)
        #expect(answer.status == 404 && answer.code == "place-unknown")
    }
}
