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
            return [Double(index * 50), 18, 0, flat ? -40 : -40 + bend(metres)]
        }
        return ["samples": samples]
    }

    private static func bend(_ metres: Double) -> Double {
        8 * sin(0.7 * metres) + 5 * sin(1.9 * metres + 1) + 0.4 * metres
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
        let twice = try await send(
            "POST", path + "/validations", jsonText(Self.walk(0.9, backward: true)))
        #expect(twice.status == 200 && twice.text == again.text, "\(twice.text)")
        let own = try await send("POST", path + "/validations", jsonText(Self.walk(1.2)))
        #expect(own.code == "magnetic-walk-unusable", "\(own.text)")
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
        let android = (Self.walk(1.2)["samples"] as? [[Double]] ?? []).map { $0 + [0, 0, 9.81] }
        let upward = try await site.campus.send(
            "POST", "/v1/magnetic-routes", token: site.surveyor,
            body: Self.route("a", ["samples": android]))
        #expect(upward.code == "magnetic-walk-unusable", "\(upward.text)")
        #expect(upward.text.contains("Android's negated"), "\(upward.text)")
        #expect(try await code(Array("[]".utf8), site.surveyor) == "not-an-object")
        let long = [UInt8](repeating: UInt8(ascii: " "), count: 1_000_001)
        #expect(try await code(long, site.surveyor) == "body-too-large")
    }

    /// A scan of a device that walks the route, with the field of its last two seconds.
    private static func scan(
        _ number: Int, pace: Double, withField: Bool, from start: Date = Date(),
        device: String = "pi-hears"
    ) -> [String: Any] {
        let began = Double(number) * 2
        let samples = (0..<40).map { index -> [Double] in
            let seconds = began + Double(index + 1) / 20
            let bend = bend(seconds * pace)
            return [(seconds * 1_000).rounded(), 18, 0, -40 + bend]
        }
        return SmallSite.scan([
            "id": UUID().uuidString, "device": device, "scanner": device,
            "at": start.addingTimeInterval(began).ISO8601Format(),
            "magneticSamples": withField ? samples : [], "ble": [], "gnss": NSNull(),
            "steps": NSNull(), "headingDegrees": NSNull(), "speedMetresPerSecond": NSNull(),
        ])
    }

    @Test("A track follows the field of a valid route where radio tells nothing")
    func track() async throws {
        let site = try await SmallSite(settings: [
            "WHEREABOUTS_POSITIONER": "track:over=knn", "WHEREABOUTS_MAP_QUIET": "100ms",
        ])
        let campus = site.campus
        func send(_ path: String, _ body: [UInt8], _ token: String) async throws -> Answer {
            let answer = try await campus.send("POST", path, token: token, body: body)
            #expect((200..<300).contains(answer.status), "\(answer.text)")
            return answer
        }
        // The same is heard all along the route.
        for x in [0.0, 10, 20] {
            let place: [String: Any] = ["floor": "ground", "x": x, "y": 4.0]
            let survey = SmallSite.scan(["place": place, "id": UUID().uuidString])
            _ = try await send("/v1/surveys", jsonText(survey), site.surveyor)
        }
        _ = try await send("/v1/magnetic-routes", Self.route("hall"), site.surveyor)
        let valid = try await send(
            "/v1/magnetic-routes/hall/validations", jsonText(Self.walk(0.9, backward: true)),
            site.surveyor)
        #expect(valid.json["state"] as? String == "valid", "\(valid.text)")
        try await eventually("the map is loaded", seconds: 60) {
            try await campus.send(
                "POST", "/v1/locate", token: site.administrator,
                body: jsonText(Self.scan(0, pace: 1, withField: false))
            ).json["state"] as? String != "lost"
        }
        func positions(_ device: String) async throws -> [[String: Any]] {
            try await campus.values(of: "whereabouts.positions")
                .map { jsonObject(Array($0.utf8)) }.filter { $0["device"] as? String == device }
        }
        /// The mean of the last five scans' errors along the route, of a new walk.
        func error(_ device: String, withField: Bool) async throws -> Double {
            let start = Date().addingTimeInterval(-60)
            for number in 0..<9 {
                let scan = Self.scan(
                    number, pace: 1, withField: withField, from: start, device: device)
                _ = try await send("/v1/scans", jsonText(scan), site.administrator)
            }
            try await eventually("all scans are located", seconds: 60) {
                try await positions(device).count == 9
            }
            var sum = 0.0
            for (number, position) in try await positions(device).enumerated() where number >= 4 {
                let truth = Double(number + 1) * 2
                sum += abs((position["x"] as? Double ?? 99) - truth)
            }
            return sum / 5
        }
        let hearing = try await error("pi-hears", withField: false)
        // The locator may not have read the route yet.
        var (feeling, walks) = (Double.infinity, 0)
        let end = ContinuousClock.now.advanced(by: .seconds(60))
        repeat {
            walks += 1
            feeling = try await error("pi-feels-\(walks)", withField: true)
        } while feeling >= 3 && ContinuousClock.now < end
        #expect(feeling < 3, "\(feeling)")
        #expect(feeling < hearing / 1.5, "\(feeling) \(hearing)")
        #expect(campus.stop() == ["whereabouts": 0])
    }
}
