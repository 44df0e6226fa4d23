import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Surveys in doubt from the request to the radio map and back.
    @Suite(.timeLimit(.minutes(5))) struct SurveyReviewEndTests {
        private static let farID = "0193b2a4-7c3e-7a10-8000-00000000fa11"

        private static func survey(_ number: Int) -> [String: Any] {
            SmallSite.scan([
                "id": String(format: "0193b2a4-7c3e-7a10-8000-%012x", number + 1),
                "place": [
                    "floor": "ground", "x": Double(number % 10) * 2, "y": Double(number / 10),
                ] as [String: Any],
            ])
        }

        /// 456 m outside of the building, as in the trial.
        private static let far = jsonText(
            SmallSite.scan([
                "id": farID,
                "place": ["floor": "ground", "x": 100.0, "y": 500.0] as [String: Any],
            ]))

        @Test(
            "A survey far outside is in no map until it is accepted, and leaves it when it is withdrawn"
        )
        func outside() async throws {
            let small = try await SmallSite(settings: ["WHEREABOUTS_MAP_QUIET": "100ms"])
            let campus = small.campus
            let root = "/v1/sites/\(SmallSite.name)"
            func fingerprints() async throws -> Int? {
                let answer = try await campus.send(
                    "GET", "\(root)/radio-map", token: small.administrator)
                let map = answer.json["radioMap"] as? [String: Any]
                return map?["fingerprints"] as? Int
            }
            func states() async throws -> [String: Int] {
                let answer = try await campus.send(
                    "GET", "\(root)/surveys", token: small.surveyor)
                let listed = answer.json["surveys"] as? [[String: Any]] ?? []
                return Dictionary(listed.map { ($0["state"] as? String ?? "", 1) }) { $0 + $1 }
            }
            let surveys = (0..<30).map {
                String(decoding: jsonText(Self.survey($0)), as: UTF8.self)
            }
            let first = try await campus.send(
                "POST", "/v1/surveys", token: small.surveyor,
                body: Array(surveys.joined(separator: "\n").utf8))
            #expect(first.status == 202, "\(first.text)")
            try await eventually("the map has thirty") { try await fingerprints() == 30 }
            // A version of long ago, and one that named the bytes that are still in use.
            try await campus.psql(
                """
                INSERT INTO radio_maps.artifacts (hash, bytes) VALUES ('old', 'old');
                INSERT INTO radio_maps.radio_maps
                    (site, version, hash, site_version, surveys, built_at, event, reviews)
                SELECT site, number, coalesce(named, hash), 1, 0, built_at, '', 0
                FROM radio_maps.radio_maps, (VALUES (-200, 'old'), (-201, NULL)) AS old (number, named)
                WHERE version = 1
                """)
            let sent = try await campus.send(
                "POST", "/v1/surveys", token: small.surveyor, body: Self.far)
            #expect(sent.status == 202, "\(sent.text)")
            try await eventually("the survey is kept aside") {
                let answer = try await campus.send(
                    "GET", "\(root)/survey-reviews", token: small.administrator)
                let waiting = answer.json["surveys"] as? [[String: Any]] ?? []
                return waiting.first?["survey"] as? String == Self.farID
                    && waiting.first?["doubt"] as? String == "outside-floor"
            }
            #expect(try await fingerprints() == 30)
            #expect(try await states() == ["taken": 30, "kept-aside": 1])

            let accept = jsonText(["decision": "accept", "surveys": [Self.farID]])
            let bySurveyor = try await campus.send(
                "POST", "\(root)/survey-reviews", token: small.surveyor, body: accept)
            #expect(bySurveyor.code == "role-not-allowed")
            let accepted = try await campus.send(
                "POST", "\(root)/survey-reviews", token: small.administrator, body: accept)
            #expect(accepted.status == 202, "\(accepted.text)")
            try await eventually("it is in the map") { try await fingerprints() == 31 }
            let kept = try await campus.psql(
                """
                SELECT count(*) FILTER (WHERE version < 0), count(*) - count(artifacts.bytes),
                    (SELECT count(*) FROM radio_maps.artifacts WHERE hash = 'old')
                FROM radio_maps.radio_maps LEFT JOIN radio_maps.parts USING (site, version)
                LEFT JOIN radio_maps.artifacts ON artifacts.hash = parts.hash
                """)
            // Versions of long ago, versions without their bytes, and bytes of no version.
            #expect(kept == ["0\t0\t0"])

            let other =
                try await ProgramRun.of(
                    campus.program + [
                        "token", "create", "--plain", "--role", "surveyor", "--site",
                        SmallSite.name,
                    ], environment: campus.environment
                ).successful().lines.last ?? ""
            let strange = try await campus.send(
                "DELETE", "\(root)/surveys/\(Self.farID)", token: other)
            #expect(strange.code == "survey-not-yours", "\(strange.text)")
            let withdrawn = try await campus.send(
                "DELETE", "\(root)/surveys/\(Self.farID)", token: small.surveyor)
            #expect(withdrawn.status == 202, "\(withdrawn.text)")
            try await eventually("it is out of the map") { try await fingerprints() == 30 }

            try await eventually("its row is gone") { try await states() == ["taken": 30] }
            let again = try await campus.send(
                "DELETE", "\(root)/surveys/\(Self.farID)", token: small.surveyor)
            #expect(again.status == 202, "\(again.text)")

            // What was decided stands in the log: a rebuild of the tables knows it.
            _ = try await campus.whereabouts("rebuild", "surveys")
            #expect(try await states() == ["taken": 30])
            #expect(try await fingerprints() == 30)

            let listed = try await campus.send(
                "GET", "\(root)/surveys?limit=1", token: small.administrator)
            let author = (listed.json["surveys"] as? [[String: Any]])?.first?["author"] as? String
            let all = try await campus.send(
                "DELETE", "\(root)/surveys?author=\(author ?? "")", token: small.administrator)
            #expect(all.status == 202, "\(all.text)")
            try await eventually("nothing of the author is in the map") {
                try await fingerprints() == 0
            }
            try await eventually("their rows are gone") { try await states().isEmpty }
        }
    }
}
