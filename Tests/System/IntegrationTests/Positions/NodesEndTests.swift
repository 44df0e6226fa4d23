import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Nodes from scan to position") struct NodesEndTests {
        private static let nodes: [(id: String, x: Double, y: Double)] = [
            ("node-a", 1, 4), ("node-b", 19, 4), ("node-c", 9, 7), ("node-d", 11, 1),
        ]

        private static func scan(
            _ device: String, _ levels: [String: Int], metres: [String: Double] = [:]
        ) -> [String: Any] {
            [
                "id": UUID().uuidString, "device": device, "scanner": device,
                "site": SmallSite.name,
                "heardBy": levels.map { node, rssi -> [String: Any] in
                    var reading: [String: Any] = ["scanner": node, "rssi": rssi]
                    if let metres = metres[node] {
                        reading["distance"] = metres
                        reading["distanceDeviation"] = 2.5
                    }
                    return reading
                },
            ]
        }

        /// The strength at which a node hears another, without walls.
        private static func level(_ one: Int, _ other: Int) -> Int {
            let metres = hypot(nodes[one].x - nodes[other].x, nodes[one].y - nodes[other].y)
            return Int((-59 - 20 * log10(metres)).rounded())
        }

        private static func post(
            _ scans: [[String: Any]], _ site: SmallSite
        ) async throws {
            let lines = Array(scans.map { jsonText($0) }.joined(separator: [UInt8(ascii: "\n")]))
            // Until the day's key is there, scans of others are refused.
            try await eventually("the scans are taken") {
                let posted = try await site.campus.send(
                    "POST", "/v1/scans", token: site.administrator, body: lines)
                #expect([202, 503].contains(posted.status), "\(posted.text)")
                return posted.status == 202
            }
        }

        @Test("A site that was never surveyed is located by its nodes, which calibrate each other")
        func unsurveyed() async throws {
            let site = try await SmallSite(settings: ["WHEREABOUTS_NODE_INTERVAL": "500ms"])
            let campus = site.campus
            let base = "/v1/sites/\(SmallSite.name)"
            for node in Self.nodes {
                let record: [String: Any] = [
                    "id": node.id, "floor": "ground", "x": node.x, "y": node.y, "heightMetres": 2,
                ]
                let put = try await campus.send(
                    "PUT", "\(base)/scanners/\(node.id)", token: site.administrator,
                    body: jsonText(record), headers: [(name: "If-Match", value: "*")])
                #expect(put.status < 300, "\(put.text)")
            }
            let published = try await campus.send(
                "POST", "\(base)/publish", token: site.administrator,
                headers: [(name: "If-Match", value: "*")])
            #expect(published.status < 300, "\(published.text)")
            try await Self.locate(site)
            try await Self.calibrate(site)
            #expect(campus.stop() == ["whereabouts": 0])
        }

        private static func locate(_ site: SmallSite) async throws {
            // The tag is not enrolled, so it has a pseudonym.
            let path = "/v1/positions?site=\(SmallSite.name)"
            var position: [String: Any] = [:]
            try await eventually("the tag is located in room b: \(position)") {
                // At x = 16 and y = 4, 1.5 m up.
                try await post(
                    [
                        scan(
                            "tag", ["node-a": -88, "node-b": -62, "node-d": -80],
                            metres: ["node-a": 15, "node-b": 3, "node-d": 5.8])
                    ], site)
                position =
                    try await site.campus.send("GET", path, token: site.administrator).lines
                    .last.map { jsonObject(Array($0.utf8)) } ?? [:]
                return position["room"] as? String == "b"
            }
            #expect(position["state"] as? String == "located", "\(position)")
            #expect(position["radius95"] as? Double ?? 0 > 1)
            let id = position["id"] as? String ?? ""
            let answer = try await site.campus.send(
                "GET", "/v1/positions/\(id)/explain", token: site.administrator)
            try #require(answer.status == 200, "\(answer.text)")
            let readings = answer.json["readings"] as? [[String: Any]] ?? []
            #expect(readings.map { $0["use"] as? String } == ["used", "used", "used"])
        }

        private static func calibrate(_ site: SmallSite) async throws {
            let scans = (0..<30).flatMap { _ in
                nodes.indices.map { sender -> [String: Any] in
                    var levels: [String: Int] = [:]
                    for node in nodes.indices where node != sender {
                        levels[nodes[node].id] = level(sender, node) + (node == 0 ? 8 : 0)
                    }
                    return scan(nodes[sender].id, levels)
                }
            }
            try await post(scans, site)
            var offsets: [String: Double] = [:]
            try await eventually("the nodes are calibrated") {
                let answer = try await site.campus.send(
                    "GET", "/v1/sites/\(SmallSite.name)/node-calibrations?limit=1",
                    token: site.administrator)
                let newest = (answer.json["calibrations"] as? [[String: Any]])?.first
                for node in newest?["nodes"] as? [[String: Any]] ?? [] {
                    offsets[node["scanner"] as? String ?? ""] = node["offset"] as? Double
                }
                return offsets.count == nodes.count
            }
            let others = nodes.dropFirst().compactMap { offsets[$0.id] }.reduce(0, +) / 3
            #expect((offsets["node-a"] ?? 0) - others > 3, "\(offsets)")
        }
    }
}
