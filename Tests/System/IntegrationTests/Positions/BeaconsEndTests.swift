import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Beacons from scan to position") struct BeaconsEndTests {
        @Test(
            "A site that was never surveyed is located by its beacons, and explain tells near and far"
        )
        func unsurveyed() async throws {
            let folder = try makeTemporaryFolder("beacons")
            AtExit.remove(folder.path)
            let file = folder.appending(path: "beacons.json")
            let document = """
                {"name": "Hall", "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "floor": "ground",
                 "map": {"width": 20, "height": 8, "unitsPerMetre": 1},
                 "groups": [
                    {"id": "a", "beacons": [{"major": 1, "minor": 1, "absolute": [2, 4]},
                                            {"major": 1, "minor": 2, "absolute": [8, 4]}]},
                    {"id": "b", "beacons": [{"major": 2, "minor": 1, "absolute": [15, 4]}]}]}
                """
            try document.write(to: file, atomically: true, encoding: .utf8)
            let site = try await SmallSite(settings: [
                "WHEREABOUTS_POSITIONER": "beacons:file=\(file.path),smoothing=off"
            ])
            let campus = site.campus
            func scan(_ beacons: [(Int, Int, Int)]) -> [String: Any] {
                [
                    "id": UUID().uuidString, "device": "visitor", "scanner": "visitor",
                    "site": SmallSite.name,
                    "ble": beacons.map { major, minor, rssi in
                        [
                            "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "major": major,
                            "minor": minor, "rssi": rssi, "txPower": -59,
                        ] as [String: Any]
                    },
                ]
            }
            for beacons in [[(1, 1, -61), (1, 2, -75)], [(1, 2, -80), (2, 1, -60)]] {
                let posted = try await campus.send(
                    "POST", "/v1/scans", token: site.administrator, body: jsonText(scan(beacons)))
                #expect(posted.status == 202, "\(posted.text)")
            }
            let path = "/v1/positions?site=\(SmallSite.name)&device=visitor"
            var positions: [[String: Any]] = []
            try await eventually("both scans are located") {
                positions = try await campus.send("GET", path, token: site.administrator).lines
                    .map { jsonObject(Array($0.utf8)) }
                return positions.count == 2
            }
            #expect(positions.map { $0["room"] as? String } == ["a", "b"])
            #expect(
                positions.allSatisfy {
                    $0["state"] as? String == "located" && $0["radioMapVersion"] == nil
                        && $0["positioner"] as? String == "beacons-smoothing-off"
                })
            let id = positions.last?["id"] as? String ?? ""
            let answer = try await campus.send(
                "GET", "/v1/positions/\(id)/explain", token: site.administrator)
            try #require(answer.status == 200, "\(answer.text)")
            let again = answer.json["again"] as? [String: Any]
            #expect(again?["isSame"] as? Bool == true, "\(answer.text)")
            let readings = answer.json["readings"] as? [[String: Any]] ?? []
            #expect(readings.map { $0["use"] as? String } == ["used", "used"])
            let beacons = answer.json["beacons"] as? [String: Any]
            #expect(beacons?["groups"] as? [String] == ["a", "b"])
            let changes = beacons?["changes"] as? [[String: Any]] ?? []
            #expect(changes.map { $0["group"] as? String } == ["b"])
            #expect(changes.map { $0["kind"] as? String } == ["entered"])
            let heard = beacons?["heard"] as? [[String: Any]] ?? []
            #expect(heard.map { $0["proximity"] as? String } == ["near", "far"])
            let again2 = try await campus.whereabouts(
                "relocate", "--since", "2026-01-01T00:00:00Z", "--positioner",
                "beacons:file=\(file.path),smoothing=off", "--compare", token: site.administrator
            ).summary
            #expect(again2["p95"] as? Double == 0, "\(again2)")
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
