import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Positioners of the locator") struct PositionersBesideTests {
        @Test("A site serves a program, has others beside, promotes one of them and goes back")
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
                "WHEREABOUTS_POSITIONERS":
                    "mine=exec:exec /usr/bin/python3 \(file.path); knn; near=knn:k=3",
                "WHEREABOUTS_MAP_QUIET": "100ms",
            ])
            let campus = site.campus
            let survey = SmallSite.scan(["place": ["location": "a-1"]])
            let posted = try await campus.send(
                "POST", "/v1/surveys", token: site.surveyor, body: jsonText(survey))
            #expect(posted.status == 202, "\(posted.text)")
            let path = "/v1/sites/\(SmallSite.name)/positioner"
            let selected = try await campus.send(
                "PUT", path, token: site.administrator,
                body: Array(#"{"served": "mine", "beside": ["knn", "near"]}"#.utf8))
            #expect(selected.status == 200, "\(selected.text)")
            try await locate(site, until: "mine", beside: ["knn", "near"])
            let promoted = try await campus.send(
                "POST", path + "/promote", token: site.administrator,
                body: Array(#"{"positioner": "near"}"#.utf8))
            #expect(promoted.json["served"] as? String == "near", "\(promoted.text)")
            try await locate(site, until: "near", beside: ["knn", "mine"])
            let back = try await ProgramRun.of(
                campus.program + ["positioner", "back", "--site", SmallSite.name],
                environment: campus.environment.merging([
                    "WHEREABOUTS_URL": campus.url("whereabouts"),
                    "WHEREABOUTS_TOKEN": site.administrator,
                ]) { $1 }
            ).successful()
            #expect(back.output.contains(#""served":"mine""#), "\(back.output)")
            try await locate(site, until: "mine", beside: ["knn", "near"])
            // The program's counts are those of all scans: its state went on while it was beside.
            let counts = try await (positions(site) + positions(site, "-beside"))
                .filter { $0["positioner"] as? String == "mine" }
                .compactMap { $0["x"] as? Double }
            #expect(counts.sorted() == (1...counts.count).map { Double($0) })
            let anyway = try await campus.send(
                "POST", "/v1/locate", token: site.administrator, body: jsonText(SmallSite.scan()))
            #expect(anyway.json["x"] as? Double == 1)
            #expect(campus.stop() == ["whereabouts": 0])
        }

        private func positions(
            _ site: SmallSite, _ end: String = ""
        ) async throws -> [[String: Any]] {
            try await site.campus.values(of: "whereabouts.positions\(end)")
                .map { jsonObject(Array($0.utf8)) }
        }

        /// Sends scans until three more have a place by the served positioner and by those beside. A
        /// map of one survey makes it uncertain.
        private func locate(
            _ site: SmallSite, until served: String, beside: [String]
        ) async throws {
            func count() async throws -> [Int] {
                let all = [(served, "")] + beside.map { ($0, "-beside") }
                var counts: [Int] = []
                for (name, end) in all {
                    counts.append(
                        try await positions(site, end).count {
                            $0["positioner"] as? String == name
                                && $0["state"] as? String != "lost"
                        })
                }
                return counts
            }
            let before = try await count()
            try await eventually("\(served) serves, \(site.campus.messages)", seconds: 60) {
                _ = try await site.campus.send(
                    "POST", "/v1/scans", token: site.administrator, body: jsonText(SmallSite.scan())
                )
                return zip(try await count(), before).allSatisfy { $0 >= $1 + 3 }
            }
        }
    }
}
