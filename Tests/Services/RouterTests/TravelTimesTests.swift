import Events
import ServiceBench
import Testing

@testable import Router

@Suite("POST /v1/travel-times, and cards") struct TravelTimesTests {
    private func times(
        _ members: String, _ router: RouterBench, _ token: String? = nil
    ) async throws -> Answer {
        try await router.app.send(
            "POST", "/v1/travel-times", token: token ?? router.visitor(), body: "{\(members)}")
    }

    @Test("answers each room as POST /v1/routes does")
    func same() async throws {
        let router = try await RouterBench()
        let answer = try await times(
            #""from": {"room": "A"}, "to": ["B", "A", "Z"], "language": "de""#, router)
        let route = try await router.route(
            #""from": {"room": "A"}, "to": [{"room": "B"}]"#, router.visitor())
        #expect(answer.status == 200)
        #expect(answer["language"] == "de" && answer["profile"] == "walking")
        #expect(answer["times.0.room"] == "B")
        #expect(answer["times.0.seconds"] == route["routes.0.seconds"])
        #expect(answer["times.0.distanceMetres"] == route["routes.0.distanceMetres"])
        #expect(answer["times.1.seconds"] == "0")
        #expect(answer["times.2.reason.code"] == "place-unknown")
        #expect(answer["times.2.seconds"] == nil)
    }

    @Test("names the fault in a request")
    func wrong() async throws {
        let router = try await RouterBench()
        let many = Array(repeating: #""B""#, count: 1_001).joined(separator: ",")
        for (members, status, code) in [
            (#""to": ["B"]"#, 400, "field-missing"),
            (#""from": {"room": "A"}, "to": []"#, 400, "field-out-of-range"),
            (#""from": {"room": "A"}, "to": [\#(many)]"#, 400, "field-out-of-range"),
            (#""from": {"room": "A"}, "to": [{"room": "B"}]"#, 400, "field-wrong-type"),
            (#""from": {"room": "A"}, "to": ["B"], "profile": "flying""#, 400, "profile-unknown"),
            (#""from": {"room": "A"}, "to": ["B"], "language": "!!""#, 400, "language-malformed"),
            (#""from": {"kind": "office"}, "to": ["B"]"#, 422, "start-ambiguous"),
            (#""from": {"room": "A"}, "to": ["B"], "site": "elsewhere""#, 403, "site-not-yours"),
        ] {
            let answer = try await times(members, router)
            #expect(answer.status == status && answer.code == code, "\(members.prefix(60))")
        }
        let stranger = try await router.app.send(
            "POST", "/v1/travel-times", body: #"{"from": {"room": "A"}, "to": ["B"]}"#)
        #expect(stranger.status == 401)
    }

    @Test("A traveller without a destination gets the rooms around, with their links")
    func cards() async throws {
        let router = try await RouterBench()
        func guide(_ members: String) async throws -> Answer {
            try await router.app.send(
                "POST", "/v1/guidance", token: router.visitor(),
                body: #"{"position": {"floor": "g", "x": 4, "y": 2}\#(members)}"#)
        }
        for members in ["", #", "to": []"#] {
            let answer = try await guide(members)
            #expect(answer.status == 200)
            #expect(answer["cards.0.room"] == "A" && answer["cards.1.room"] == "B")
            #expect(answer["cards.0.links.timetable"] == "/v1/sites/house/rooms/A/timetable")
            #expect(answer["cards.1.links.computers"] == "/v1/sites/house/rooms/B/availability")
            #expect(answer["arrow"] == nil && answer["routes"] == nil && answer["found"] == nil)
        }
        let led = try await guide(#", "to": [{"room": "B"}]"#)
        #expect(led["found"] == "true" && led["cards.0.room"] == "A")
        #expect(led["arrow.bearingDegrees"] != nil)
        let route = try await router.route(
            #""from": {"room": "A"}, "to": []"#, router.visitor())
        #expect(route.status == 400 && route.code == "field-out-of-range")
    }
}
