import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Why a track's position is where it is") struct ExplainTrackTests {
        private static let site = "tower"
        private static let deviceCount = 6

        @Test(
            "Positions come out again with the map and the track that they were made with, and tell why a floor changed"
        )
        func explains() async throws {
            let small = try await SmallSite(settings: ["WHEREABOUTS_POSITIONER": "track"])
            let campus = small.campus
            let positions = try await walk(small)
            let moved = try await explainsFloorChanges(small, positions)
            let former =
                positions.first { $0["id"] as? String == moved }?["radioMapVersion"] as? Int
            let version = try #require(former)
            // Another radio map serves from now on.
            let survey = try await campus.send(
                "POST", "/v1/surveys", token: small.administrator,
                body: jsonText(
                    SmallSite.scan([
                        "site": Self.site, "place": ["floor": "floor-0", "x": 5.0, "y": 4.0],
                    ])))
            try #require(survey.status == 202, "\(survey.text)")
            try await eventually("another map is loaded", seconds: 60) {
                let scan = SmallSite.scan(["site": Self.site])
                let answer = try await campus.send(
                    "POST", "/v1/locate", token: small.administrator, body: jsonText(scan))
                return answer.json["radioMapVersion"] as? Int ?? 0 > version
            }
            let again = try await explain(small, moved)
            #expect(again.with["radioMapVersion"] as? Int == version)
            #expect(again.with["differs"] as? [String] == [])
            #expect(again.again["isSame"] as? Bool == true, "\(again.again)")
            // A map that nobody has any more.
            try await campus.psql(
                "UPDATE locator.positions SET radio_map_version = 77 WHERE id = '\(moved)'")
            let guessed = try await explain(small, moved)
            #expect(guessed.with["radioMapVersion"] as? Int ?? 0 > version)
            #expect(guessed.with["differs"] as? [String] == ["radio-map"])
            #expect(campus.stop() == ["whereabouts": 0])
        }

        /// Explains some positions of each kind; gives the id of one with a change of floors.
        private func explainsFloorChanges(
            _ small: SmallSite, _ positions: [[String: Any]]
        ) async throws -> String {
            var changes: [String] = []
            var others: [String] = []
            let devices = Dictionary(grouping: positions) { $0["device"] as? String ?? "" }
            for own in devices.values {
                for (before, after) in zip(own, own.dropFirst()) {
                    let isChange = before["floor"] as? String != after["floor"] as? String
                    let id = after["id"] as? String ?? ""
                    if isChange { changes.append(id) } else { others.append(id) }
                }
            }
            try #require(!changes.isEmpty, "nobody has changed floors")
            for id in others.sorted().prefix(5) {
                let explained = try await explain(small, id)
                #expect(explained.again["isSame"] as? Bool == true, "\(explained.again)")
                #expect(explained.with["differs"] as? [String] == [])
            }
            for id in changes.prefix(5) {
                let explained = try await explain(small, id)
                #expect(explained.again["isSame"] as? Bool == true, "\(explained.again)")
                let change = explained.change
                #expect(
                    try #require(change["afterTo"] as? Double)
                        > #require(change["rememberedTo"] as? Double))
                #expect(change["metresToOtherFloors"] as? Double != nil)
            }
            return changes[0]
        }

        private struct Explained {
            var with: [String: Any]
            var again: [String: Any]
            var change: [String: Any]
        }

        private func explain(_ small: SmallSite, _ id: String) async throws -> Explained {
            let answer = try await small.campus.send(
                "GET", "/v1/positions/\(id)/explain", token: small.administrator)
            try #require(answer.status == 200, "\(answer.text)")
            return Explained(
                with: answer.json["explainedWith"] as? [String: Any] ?? [:],
                again: answer.json["again"] as? [String: Any] ?? [:],
                change: answer.json["floorChange"] as? [String: Any] ?? [:])
        }

        /// A simulated building in which devices walk for four minutes, which end now. Gives their
        /// positions in order.
        private func walk(_ small: SmallSite) async throws -> [[String: Any]] {
            let campus = small.campus
            let building = campus.folder.appending(path: "building").path
            let file = campus.folder.appending(path: "scans.jsonl").path
            _ = try await ProgramRun.of(
                campus.program + ["simulate", "--output", building, "--seed", "5"]
                    + ["--devices", "\(Self.deviceCount)", "--minutes", "4"]
            ).successful()
            _ = try await campus.whereabouts(
                "import", "jsonl", building, "--site", Self.site, "--scans", file,
                token: small.administrator)
            var scans = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .map { jsonObject(Array($0.utf8)) }
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let times = try scans.map { try style.parse($0["at"] as? String ?? "") }
            let newest = try #require(times.max())
            let now = Date()
            for index in scans.indices {
                let at = now.addingTimeInterval(times[index].timeIntervalSince(newest))
                scans[index]["at"] = at.formatted(style)
                scans[index]["sentAt"] = now.formatted(style)
                scans[index]["id"] = UUID().uuidString
                scans[index]["site"] = Self.site
                scans[index]["truth"] = nil
            }
            let posted = try await campus.send(
                "POST", "/v1/scans", token: small.administrator,
                body: Array(scans.map { jsonText($0) }.joined(separator: [UInt8(ascii: "\n")])))
            try #require(posted.json["accepted"] as? Int == scans.count, "\(posted.text)")
            let path = "/v1/positions?site=\(Self.site)&limit=10000"
            let count = "\(scans.count)"
            try await eventually("all scans are located", seconds: 120) {
                let located = try await campus.psql(
                    "SELECT count(*) FROM locator.positions WHERE site = '\(Self.site)'")
                return located == [count]
            }
            return try await campus.send("GET", path, token: small.administrator).lines
                .map { jsonObject(Array($0.utf8)) }
        }
    }
}
