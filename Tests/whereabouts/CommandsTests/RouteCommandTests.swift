import Directions
import HTTP
import JSON
import Testing

@testable import Commands

@Suite struct RouteCommandTests {
    @Test(
        "A way's time is rounded to the nearest minute, one at least",
        arguments: [
            (0.0, "80 m, 1 min"), (61, "80 m, 1 min"), (89, "80 m, 1 min"), (91, "80 m, 2 min"),
        ])
    func length(_ seconds: Double, _ text: String) {
        #expect(spokenLength(metres: 79.6, seconds: seconds) == text)
        #expect(spokenLength(metres: 93.4, seconds: 61) == "95 m, 1 min")
        #expect(spokenLength(metres: 1_260, seconds: 61) == "1.3 km, 1 min")
    }

    @Test("Who is there already reads no length, and a closed end is told")
    func ends() throws {
        func lines(_ legs: String, _ shut: String) throws -> [String] {
            let text = """
                {"found": true, "routes": [{"distanceMetres": 12, "seconds": 9, \(shut)
                  "legs": [\(legs)], "instructions": [{"text": "Walk."}]}]}
                """
            return try JSONParser.read(Array(text.utf8)) { DescribedRoute($0) }.lines
        }
        let shut = #""shutEnd": {"text": "Shop is closed."},"#
        #expect(try lines("", "") == ["You are there already."])
        #expect(try lines("", shut) == ["You are there already.", "Shop is closed."])
        #expect(try lines("{}", shut) == ["12 m, 1 min", "Shop is closed.", "1. Walk."])
    }

    @Test("The help lists every language that has directions")
    func languages() {
        let codes = DirectionLanguages.all.map(\.code).joined(separator: " | ")
        #expect(codes.contains("ru"))
        #expect(Command.route.help.contains("--language  \(codes)\n"))
    }

    @Test("A name that no place has is an error, which asks about similar names")
    func similar() async throws {
        func fault(_ results: String) async throws -> String? {
            let route = Route(
                .get, "/v1/sites/{site}/search",
                handler: .task { _ in
                    HTTPResponse(
                        status: 200, body: .bytes(Array(#"{"results":[\#(results)]}"#.utf8)))
                })
            var fault: CommandFault?
            try await withServices([route]) { services in
                let places = NamedPlaces(services: services, site: "museum", language: "en")
                fault = await #expect(throws: CommandFault.self) {
                    _ = try await places.find("Gift shop")
                }
            }
            return fault?.description
        }
        let shop = #"{"kind":"room","id":"shop","name":"Shop","match":"partial"}"#
        #expect(
            try await fault(shop)
                == "nothing at museum is called Gift shop; did you mean Shop (room shop)?")
        let lifts = ["lift.0", "lift.1"].map {
            #"{"kind":"room","id":"\#($0)","name":"","match":"exact"}"#
        }.joined(separator: ",")
        #expect(
            try await fault(lifts)
                == "several places are called Gift shop: room lift.0, room lift.1; use the id of "
                + "one, or kind=Gift shop for the nearest")
        #expect(try await fault("") == "nothing at museum is called Gift shop")
    }
}
