import Foundation
import TestSupport
import Testing

extension PipelineScenario {
    // MARK: Scans located again

    /// A position has its readings and candidates, and the same place when it is located again.
    func explainsPositions() async throws {
        let page = try await campus.send(
            "GET", "/v1/positions?site=\(site)&limit=1", token: administrator)
        let position = jsonObject(page.body)
        let id = try #require(position["id"] as? String)
        let answer = try await campus.send(
            "GET", "/v1/positions/\(id)/explain", token: administrator)
        try #require(answer.status == 200, "\(answer.text)")
        let explained = answer.json["position"] as? [String: Any]
        #expect(explained?["id"] as? String == id)
        let readings = answer.json["readings"] as? [[String: Any]] ?? []
        #expect(readings.contains { $0["use"] as? String == "used" })
        let candidates = answer.json["candidates"] as? [[String: Any]] ?? []
        let weights = candidates.compactMap { $0["weight"] as? Double }
        #expect(!weights.isEmpty && weights == weights.sorted(by: >))
        #expect(weights.reduce(0, +) <= 1.001)
        let again = answer.json["again"] as? [String: Any]
        #expect(try #require(again?["metresFromPosition"] as? Double) < 0.01)
        let with = answer.json["explainedWith"] as? [String: Any]
        #expect(with?["positioner"] as? String == position["positioner"] as? String)
        #expect(with?["differs"] as? [String] == [])
        #expect(again?["isSame"] as? Bool == true)

        let unknown = try await campus.send(
            "GET", "/v1/positions/\(UUID().uuidString)/explain", token: administrator)
        #expect(unknown.status == 404 && unknown.code == "position-unknown")
        // A position whose scan the log does not hold.
        let orphan = UUID().uuidString
        try await campus.psql(
            """
            INSERT INTO locator.positions SELECT (changed.row).* FROM (
                SELECT jsonb_populate_record(p, jsonb_build_object(
                    'id', '\(orphan)', 'scan_id', '\(UUID().uuidString)')) AS row
                FROM locator.positions p LIMIT 1) changed
            """)
        let gone = try await campus.send(
            "GET", "/v1/positions/\(orphan)/explain", token: administrator)
        #expect(gone.status == 410 && gone.code == "scan-gone", "\(gone.text)")
        try await campus.psql("DELETE FROM locator.positions WHERE id = '\(orphan)'")
    }

    /// The served positioner says again what it said; another differs, and nothing is written but the
    /// files that were asked for.
    func relocates() async throws {
        let since = began.addingTimeInterval(-5).formatted(.iso8601)
        let count = try await locatedInLog().count
        let visits = campus.folder.appending(path: "relocated-visits.jsonl").path
        func relocate(_ positioner: String, _ file: String) async throws -> [String: Any] {
            try await campus.whereabouts(
                "relocate", "--since", since, "--site", site, "--positioner", positioner,
                "--compare", "--out", file, "--visits", visits, token: administrator
            ).summary
        }
        let file = campus.folder.appending(path: "relocated.jsonl").path
        let same = try await relocate("auto", file)
        #expect(same["scans"] as? Int == count && same["compared"] as? Int == count)
        #expect(try #require(same["p95"] as? Double) < 0.01, "\(same)")
        #expect(same["roomsChanged"] as? Int == 0 && same["lostAfter"] as? Int == 0)
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == count)
        #expect(try String(contentsOfFile: visits, encoding: .utf8).contains("\"entered\""))
        let other = try await relocate("blurred=knn:k=30,weighting=equal", file)
        #expect(other["positioner"] as? String == "blurred")
        #expect(try #require(other["median"] as? Double) > 0.2, "\(other)")
        #expect(try #require(other["microsecondsPerScan"] as? Double) > 0)
        let floors = other["floors"] as? [String: [String: Any]] ?? [:]
        #expect(floors.values.compactMap { $0["compared"] as? Int }.reduce(0, +) == count)
        let after = try await locatedInLog().count
        #expect(after == count)
    }
}
