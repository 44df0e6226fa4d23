import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Barriers that anybody reports, with a route before and after") struct BarrierEndTests {
        /// A visitor without an account, at an address that a proxy states.
        private struct Visitor {
            let campus: Campus
            let headers: [(name: String, value: String)]

            init(_ campus: Campus, at address: String) async throws {
                self.campus = campus
                let around = [("x-forwarded-for", address), ("x-forwarded-proto", "https")]
                let begun = try await campus.send(
                    "POST", "/v1/session/anonymous", headers: around)
                let cookie = String((begun.headers["set-cookie"] ?? "").prefix { $0 != ";" })
                let token = begun.json["changeToken"] as? String ?? ""
                headers = around + [("cookie", cookie), ("x-change-token", token)]
            }

            func send(_ method: String, _ path: String, _ body: [String: Any]) async throws
                -> Answer
            {
                try await campus.send(method, path, body: jsonText(body), headers: headers)
            }

            func report(_ place: [String: Any]) async throws -> Answer {
                try await send(
                    "POST", "/v1/sites/\(SmallSite.name)/barriers",
                    ["kind": "door-locked", "place": place])
            }

            /// The doors of the route from room a to room b.
            func doors() async throws -> [String] {
                let answer = try await send(
                    "POST", "/v1/routes",
                    [
                        "site": SmallSite.name, "from": ["room": "a"], "to": [["room": "b"]],
                    ] as [String: Any])
                let routes = answer.json["routes"] as? [[String: Any]] ?? []
                let legs = routes.first?["legs"] as? [[String: Any]] ?? []
                return legs.compactMap { $0["connection"] as? String }
            }
        }

        /// The small site with a second door, farther off.
        private static var document: [String: Any] {
            var document = SmallSite.document
            let stops = ["a", "b"].map {
                ["floor": "ground", "room": $0, "x": 10.0, "y": 7.0] as [String: Any]
            }
            let second: [String: Any] = ["id": "door-far", "kind": "door", "stops": stops]
            document["connections"] =
                (document["connections"] as? [[String: Any]] ?? []) + [second]
            document["audience"] = "everybody"
            return document
        }

        @Test("Two sessions close a door, routes avoid it, and the staff opens it again")
        func life() async throws {
            let site = try await SmallSite(
                settings: ["WHEREABOUTS_TRUSTED_PROXIES": "127.0.0.0/8"],
                document: Self.document)
            let campus = site.campus
            let (anna, bert) = (
                try await Visitor(campus, at: "203.0.113.7"),
                try await Visitor(campus, at: "203.0.113.8")
            )
            try await eventually("the route leads through the near door") {
                try await anna.doors() == ["door-ab"]
            }
            let first = try await anna.report(["connection": "door-ab"])
            #expect(first.status == 201 && first.json["state"] as? String == "waiting")
            #expect(try await anna.report(["connection": "door-ab"]).status == 200)
            #expect(try await bert.doors() == ["door-ab"], "one report closes nothing")
            let second = try await bert.report(["floor": "ground", "x": 9.0, "y": 4.0])
            #expect(second.json["state"] as? String == "confirmed", "\(second.text)")
            #expect(second.json["id"] as? String == first.json["id"] as? String)
            #expect(second.json["fromOneAddress"] as? Bool == false)
            try await eventually("the route leads through the other door") {
                try await anna.doors() == ["door-far"]
            }
            try await eventually("the log has the outage, and nothing of who reported it") {
                let events = try await campus.values(of: "whereabouts.outages")
                return events.count == 1 && events[0].contains("Door locked")
                    && events[0].contains("\"reportedBy\":\"unknown\"")
                    && !events[0].contains("\"reporter\"")
            }
            let list = "/v1/sites/\(SmallSite.name)/barriers"
            let refused = try await anna.send(
                "DELETE", "\(list)/\(first.json["id"] as? String ?? "")", [:])
            #expect(refused.code == "role-not-allowed", "\(refused.text)")
            let shown = try await campus.send("GET", list, token: site.surveyor)
            let barriers = shown.json["barriers"] as? [[String: Any]] ?? []
            #expect(barriers.count == 1 && barriers[0]["state"] as? String == "confirmed")
            let dismissed = try await campus.send(
                "DELETE", "\(list)/\(first.json["id"] as? String ?? "")", token: site.surveyor)
            #expect(dismissed.status == 204, "\(dismissed.text)")
            try await eventually("the near door is open again") {
                try await bert.doors() == ["door-ab"]
            }
            let again = try await bert.report(["connection": "door-ab"])
            #expect(again.json["state"] as? String == "dismissed", "\(again.text)")
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
