import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Positioners of the locator") struct PositionersBesideTests {
        @Test("A program is served, and what others say of the same scan goes to their own topics")
        func beside() async throws {
            let program = """
                import json, sys
                sys.stdin.readline()
                print(json.dumps({"ready": True}), flush=True)
                for line in sys.stdin:
                    count = int(json.loads(line)["state"] or "0") + 1
                    place = {"floor": "ground", "x": count, "y": 1, "radius68": 2}
                    print(json.dumps({"query": json.loads(line)["query"], "estimate": place,
                                      "state": str(count)}), flush=True)
                """
            let folder = try makeTemporaryFolder("program")
            AtExit.remove(folder.path)
            let file = folder.appending(path: "mine.py")
            try program.write(to: file, atomically: true, encoding: .utf8)
            let site = try await SmallSite(settings: [
                "WHEREABOUTS_POSITIONER": "mine=exec:exec /usr/bin/python3 \(file.path)",
                "WHEREABOUTS_POSITIONERS_BESIDE": "knn; near=knn:k=3",
                "WHEREABOUTS_MAP_QUIET": "100ms",
            ])
            let campus = site.campus
            let survey = SmallSite.scan(["place": ["location": "a-1"]])
            let posted = try await campus.send(
                "POST", "/v1/surveys", token: site.surveyor, body: jsonText(survey))
            #expect(posted.status == 202, "\(posted.text)")
            var sent = 0
            try await eventually("a program has located \(campus.messages)", seconds: 60) {
                _ = try await campus.send(
                    "POST", "/v1/scans", token: site.administrator, body: jsonText(SmallSite.scan())
                )
                sent += 1
                let located = try await campus.values(of: "whereabouts.positions").filter {
                    jsonObject(Array($0.utf8))["state"] as? String == "located"
                }
                return located.count >= 3
            }
            let served = try await campus.values(of: "whereabouts.positions")
                .map { jsonObject(Array($0.utf8)) }
            #expect(served.allSatisfy { $0["positioner"] as? String == "mine" })
            let counts = served.compactMap { $0["x"] as? Double }
            #expect(counts == (1...counts.count).map { Double($0) })
            for name in ["knn", "near"] {
                let beside = try await campus.values(of: "whereabouts.positions.\(name)")
                    .map { jsonObject(Array($0.utf8)) }
                #expect(beside.allSatisfy { $0["positioner"] as? String == name })
                #expect(beside.count { $0["state"] as? String == "located" } >= 3)
                #expect(
                    Set(beside.compactMap { $0["scanId"] as? String })
                        .isSuperset(of: served.compactMap { $0["scanId"] as? String }))
            }
            let anyway = try await campus.send(
                "POST", "/v1/locate", token: site.administrator, body: jsonText(SmallSite.scan()))
            #expect(anyway.json["x"] as? Double == 1)
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
