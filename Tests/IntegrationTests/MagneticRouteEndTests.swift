import Foundation
import Testing

@Suite("Magnetic routes over HTTP") struct MagneticRouteEndTests {
    /// A field that is nowhere twice the same, 20 m at a pace, as a device that lies flat feels it.
    private static func walk(_ pace: Double, backward: Bool = false, flat: Bool = false)
        -> [String: Any]
    {
        let seconds = 20 / pace
        let samples = (0...Int(seconds * 20)).map { index -> [Double] in
            let walked = min(20, Double(index) / 20 * pace)
            let metres = backward ? 20 - walked : walked
            let bend = 8 * sin(0.7 * metres) + 5 * sin(1.9 * metres + 1) + 0.4 * metres
            return [Double(index * 50), 18, 0, flat ? -40 : -40 + bend]
        }
        return ["samples": samples]
    }

    private static func route(_ id: String, _ changes: [String: Any] = [:]) -> [UInt8] {
        let route: [String: Any] = [
            "id": id, "floor": "ground", "polyline": [[0, 4], [20, 4]],
        ]
        return jsonText(route.merging(walk(1.2)) { $1 }.merging(changes) { $1 })
    }

    @Test("A route is recorded, validated by a second walk, listed, deleted; each is an event")
    func life() async throws {
        let site = try await SmallSite.shared.value
        let id = "hall-\(UUID().uuidString.prefix(8))"
        let path = "/v1/magnetic-routes/\(id)"
        func send(_ method: String, _ path: String, _ body: [UInt8] = []) async throws -> Answer {
            try await site.campus.send(method, path, token: site.surveyor, body: body)
        }
        #expect(try await send("GET", path).code == "magnetic-route-unknown")
        let made = try await send("POST", "/v1/magnetic-routes", Self.route(id))
        #expect(made.status == 201 && made.json["state"] as? String == "recorded", "\(made.text)")
        let same = try await send("POST", "/v1/magnetic-routes", Self.route(id))
        #expect(same.status == 200 && same.json["version"] as? Int == 1, "\(same.text)")

        let elsewhere = try await send(
            "POST", path + "/validations", jsonText(Self.walk(1, flat: true)))
        #expect(elsewhere.json["state"] as? String == "recorded", "\(elsewhere.text)")
        let again = try await send(
            "POST", path + "/validations", jsonText(Self.walk(0.9, backward: true)))
        #expect(again.json["state"] as? String == "valid", "\(again.text)")
        let validation = try #require(again.json["validation"] as? [String: Any])
        #expect(validation["direction"] as? String == "backward")
        #expect(try #require(validation["meanMetres"] as? Double) < 2)
        #expect(try await send("GET", path).text == again.text)
        let list = try await send("GET", "/v1/magnetic-routes?limit=1000").json
        let routes = try #require(list["magneticRoutes"] as? [[String: Any]])
        #expect(routes.contains { $0["id"] as? String == id })

        #expect(try await send("DELETE", path).status == 204)
        #expect(try await send("DELETE", path).code == "magnetic-route-unknown")
        #expect(try await send("GET", path).json["state"] as? String == "deleted")
        let late = try await send("POST", path + "/validations", jsonText(Self.walk(1)))
        #expect(late.code == "magnetic-route-unknown")

        try await eventually("the log has its events in order") {
            let events = try await site.campus.values(of: "whereabouts.magnetic-routes").map {
                jsonObject(Array($0.utf8))
            }.filter { $0["route"] as? String == id }
            return events.map { $0["version"] as? Int } == [1, 2, 3, 4]
        }
    }

    @Test("What can't be used is refused with its code, and only surveyors may record")
    func refusals() async throws {
        let site = try await SmallSite.shared.value
        func code(_ body: [UInt8], _ token: String) async throws -> String? {
            try await site.campus.send("POST", "/v1/magnetic-routes", token: token, body: body)
                .code
        }
        #expect(try await code(Self.route("a"), site.visitor) == "role-not-allowed")
        #expect(try await code(Self.route("a"), site.device) == "role-not-allowed")
        #expect(
            try await code(Self.route("a", ["floor": "attic"]), site.surveyor) == "floor-unknown")
        #expect(
            try await code(Self.route("a", ["site": "other"]), site.surveyor) == "site-not-yours")
        #expect(
            try await code(Self.route("a", ["samples": []]), site.surveyor)
                == "magnetic-walk-unusable")
        #expect(
            try await code(Self.route("a", ["polyline": [[0, 0], [0, 0]]]), site.surveyor)
                == "magnetic-walk-unusable")
        #expect(try await code(Array("[]".utf8), site.surveyor) == "not-an-object")
        let long = [UInt8](repeating: UInt8(ascii: " "), count: 1_000_001)
        #expect(try await code(long, site.surveyor) == "body-too-large")
    }
}
