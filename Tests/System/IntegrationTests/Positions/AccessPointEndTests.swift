import Foundation
import Testing

extension IntegrationTests {
    @Suite("Access points of a site's document") struct AccessPointEndTests {
        private static func address(_ number: Int) -> String {
            "00:62:ec:fd:ec:" + String(format: "%02x", number)
        }

        private static func readings(_ levels: [(String, Int)]) -> [[String: Any]] {
            levels.map { ["bssid": $0.0, "ssid": "eduroam", "rssi": $0.1] }
        }

        private static func publish(_ site: SmallSite, _ accessPoints: [String: Any]) async throws {
            var document = SmallSite.document
            document["accessPoints"] = accessPoints
            let answer = try await site.campus.send(
                "PUT", "/v1/sites/\(SmallSite.name)", token: site.administrator,
                body: jsonText(document))
            try #require(answer.status < 300, "\(answer.text)")
        }

        private static func located(
            _ site: SmallSite, _ readings: [[String: Any]]
        ) async throws -> [String: Any] {
            try await site.campus.send(
                "POST", "/v1/locate", token: site.administrator,
                body: jsonText(["device": "pi-1", "scanner": "pi-1", "wifi": readings])
            ).json
        }

        @Test("A site that nobody has surveyed is located by where its access points hang")
        func unsurveyed() async throws {
            let site = try await SmallSite(settings: ["WHEREABOUTS_MAP_QUIET": "100ms"])
            let corners = [(0.0, 0.0), (20, 0), (0, 8), (20, 8)]
            let places = corners.enumerated().map { number, corner -> [String: Any] in
                [
                    "address": Self.address(number), "floor": "ground", "x": corner.0,
                    "y": corner.1,
                ]
            }
            let heard = Self.readings([
                (Self.address(0), -65), (Self.address(1), -76), (Self.address(2), -65),
                (Self.address(3), -76),
            ])
            #expect(try await Self.located(site, heard)["state"] as? String == "lost")
            try await Self.publish(site, ["places": places])
            try await eventually("the places are used", seconds: 60) {
                try await Self.located(site, heard)["floor"] != nil
            }
            let position = try await Self.located(site, heard)
            #expect(position["floor"] as? String == "ground")
            #expect(position["room"] as? String == "a")
            #expect(try #require(position["radius95"] as? Double) > 2)
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("Fingerprints come page by page, also those of one name on two floors")
        func pages() async throws {
            let site = try await SmallSite(settings: ["WHEREABOUTS_MAP_QUIET": "100ms"])
            var document = SmallSite.document
            let ground = document["floors"] as? [[String: Any]] ?? []
            document["floors"] =
                ground + [["id": "upper", "building": "house", "ordinal": 1, "level": "1"]]
            let put = try await site.campus.send(
                "PUT", "/v1/sites/\(SmallSite.name)", token: site.administrator,
                body: jsonText(document))
            try #require(put.status < 300, "\(put.text)")
            for floor in ["ground", "upper"] {
                for x in [1.0, 2] {
                    let place: [String: Any] = ["floor": floor, "x": x, "y": 3.0]
                    let survey: [String: Any] = [
                        "device": "pi-1", "scanner": "pi-1", "place": place,
                        "wifi": Self.readings([(Self.address(1), -50)]),
                    ]
                    try await eventually("the floor is known") {
                        try await site.campus.send(
                            "POST", "/v1/surveys", token: site.surveyor, body: jsonText(survey)
                        ).status == 202
                    }
                }
            }
            func all() async throws -> [String] {
                var found: [String] = []
                var after = ""
                repeat {
                    let page = try await site.campus.send(
                        "GET", "/v1/sites/\(SmallSite.name)/fingerprints?limit=1&after=\(after)",
                        token: site.surveyor
                    ).json
                    for item in page["fingerprints"] as? [[String: Any]] ?? [] {
                        let floor = (item["fingerprint"] as? [String: Any])?["floor"] ?? ""
                        found.append("\(floor)/\(item["place"] ?? "")")
                    }
                    after = page["next"] as? String ?? ""
                } while !after.isEmpty && found.count < 10
                return found
            }
            try await eventually("all four are listed", seconds: 60) {
                try await all().sorted()
                    == ["ground/1.0,3.0", "ground/2.0,3.0", "upper/1.0,3.0", "upper/2.0,3.0"]
            }
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("What the document does not name comes into no map and no topic")
        func refused() async throws {
            let site = try await SmallSite(settings: ["WHEREABOUTS_MAP_QUIET": "100ms"])
            let hotspot = "da:a1:19:00:00:01"
            try await Self.publish(site, ["allow": [["prefix": "00:62:ec"]]])
            let survey: [String: Any] = [
                "device": "pi-1", "scanner": "pi-1", "place": ["location": "a-1"],
                "wifi": Self.readings([(Self.address(1), -50), (hotspot, -40)]),
            ]
            let answer = try await site.campus.send(
                "POST", "/v1/surveys", token: site.surveyor, body: jsonText(survey))
            #expect(answer.status == 202, "\(answer.text)")
            func states() async throws -> [String: [String: Any]] {
                let list =
                    try await site.campus.send(
                        "GET", "/v1/sites/\(SmallSite.name)/access-points?limit=1000",
                        token: site.surveyor
                    ).json["accessPoints"] as? [[String: Any]] ?? []
                return Dictionary(
                    list.map { ($0["id"] as? String ?? "", $0) }, uniquingKeysWith: { $1 })
            }
            try await eventually("the site's own access point is used", seconds: 60) {
                try await states()["wifi/\(Self.address(1))"]?["use"] as? String == "used"
            }
            #expect(try await states()["wifi/\(hotspot)"] == nil)
            try await eventually("the map is loaded", seconds: 60) {
                let own = Self.readings([(Self.address(1), -50)])
                return try await Self.located(site, own)["state"] as? String != "lost"
            }
            try await eventually("the hotspot says nothing", seconds: 60) {
                let alone = try await Self.located(site, Self.readings([(hotspot, -40)]))
                return alone["state"] as? String == "lost"
            }
            let surveys = try await site.campus.values(of: "whereabouts.survey-records")
            #expect(surveys.count == 1 && !surveys.contains { $0.contains(hotspot) })
            #expect(site.campus.stop() == ["whereabouts": 0])
        }
    }
}
