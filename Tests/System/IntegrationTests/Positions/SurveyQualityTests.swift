import Foundation
import TestSupport
import Testing

@Suite("Survey quality") struct SurveyQualityTests {
    /// A survey on each metre of room a, none in room b.
    private static func surveys(hour: String, accessPoints: Range<Int>) -> [UInt8] {
        let surveys = (0..<10).flatMap { x in
            (0..<8).map { y -> [String: Any] in
                let place = (x: Double(x) + 0.5, y: Double(y) + 0.5)
                let wifi = accessPoints.map { number -> [String: Any] in
                    let corner = [(0.0, 0.0), (20, 0), (0, 8), (20, 8), (10, 4)][number]
                    let distance = hypot(place.x - corner.0, place.y - corner.1)
                    let noise = Double((x * 31 + y * 17 + number * 7) % 5) - 2
                    return [
                        "bssid": "02:00:00:00:00:0\(number)",
                        "rssi": Int(-40 - 2 * distance + noise),
                    ]
                }
                return [
                    "id": UUID().uuidString, "device": "tablet", "scanner": "tablet",
                    "site": SmallSite.name, "wifi": wifi,
                    "at": "2026-11-21T\(hour):\(10 + x):\(10 + y * 5).000Z",
                    "place": ["floor": "ground", "x": place.x, "y": place.y],
                ]
            }
        }
        return Array(surveys.map { jsonText($0) }.joined(separator: [UInt8(ascii: "\n")]))
    }

    @Test("The quality of a new map is worked out, and the coach sends to the room without surveys")
    func quality() async throws {
        let small = try await SmallSite(settings: ["WHEREABOUTS_QUALITY_QUIET": "1s"])
        let campus = small.campus
        func get(_ path: String) async throws -> (status: Int, answer: [String: Any]) {
            let answer = try await campus.send(
                "GET", "/v1/sites/\(SmallSite.name)/\(path)", token: small.administrator)
            return (answer.status, answer.json)
        }
        let body = Self.surveys(hour: "08", accessPoints: 0..<5)
        let accepted = try await campus.send(
            "POST", "/v1/surveys", token: small.administrator, body: body)
        #expect(accepted.status == 202)
        try await eventually("the map is looked at") {
            try await get("survey-quality").answer["radioMapVersion"] is Int
        }
        let quality = try await get("survey-quality?limit=50").answer
        let floor = try #require((quality["floors"] as? [[String: Any]])?.first)
        #expect(floor["surveys"] as? Int == 80)
        #expect(floor["readings"] as? Int == 400)
        let error = try #require(floor["expectedError"] as? Double)
        #expect(error > 0 && error < 20)
        let positioner = try #require(quality["positioner"] as? String)
        #expect(positioner.hasPrefix("blend:") || positioner.hasPrefix("mixture:"))
        #expect((quality["places"] as? [Any])?.count == 50)
        let next = try #require(quality["next"] as? String)
        let after = next.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let rest = try await get("survey-quality?limit=50&after=\(after)").answer
        #expect((rest["places"] as? [Any])?.count == 30)
        #expect(rest["next"] is NSNull)
        let coach = try await get("survey-coach?count=2&floor=ground").answer
        let places = try #require(coach["places"] as? [[String: Any]])
        #expect(places.count == 2)
        #expect((places[0]["x"] as? Double ?? 0) > 10)
        #expect(try await get("survey-coach?count=0").status == 400)
        #expect(try await get("survey-coach?floor=attic").status == 404)
        #expect(
            try await campus.send(
                "GET", "/v1/sites/\(SmallSite.name)/survey-coach", token: small.visitor
            ).status == 403)
        try await vanish(small)
        _ = campus.stop()
    }

    /// A later survey of the same room hears all access points but the first.
    private func vanish(_ small: SmallSite) async throws {
        func accessPoint(_ number: Int) async throws -> [String: Any] {
            let answer = try await small.campus.send(
                "GET", "/v1/sites/\(SmallSite.name)/access-points", token: small.administrator)
            let all = answer.json["accessPoints"] as? [[String: Any]] ?? []
            return all.first { $0["id"] as? String == "wifi/02:00:00:00:00:0\(number)" } ?? [:]
        }
        #expect(try await accessPoint(0)["use"] as? String == "used")
        _ = try await small.campus.send(
            "POST", "/v1/surveys", token: small.administrator,
            body: Self.surveys(hour: "14", accessPoints: 1..<5))
        // They are against the map and agree with each other: a change that an administrator takes.
        let reviews = "/v1/sites/\(SmallSite.name)/survey-reviews"
        try await eventually("the vanished one is set aside") {
            let waiting = try await small.campus.send(
                "GET", reviews, token: small.administrator
            ).json
            for change in waiting["changes"] as? [[String: Any]] ?? [] {
                let accepted = try await small.campus.send(
                    "POST", reviews, token: small.administrator,
                    body: jsonText(["decision": "accept", "surveys": change["surveys"] ?? []]))
                try #require(accepted.status == 202, "\(accepted.text)")
            }
            return try await accessPoint(0)["use"] as? String == "ignored"
        }
        let change = try await accessPoint(0)["change"] as? [String: Any]
        #expect(change?["kind"] as? String == "vanished")
        #expect((change?["since"] as? String)?.hasPrefix("2026-11-21T14:") == true)
        let other = try await accessPoint(1)
        #expect(other["use"] as? String == "used")
        #expect(other["change"] == nil)
    }
}
