import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Surveys of an earlier release come over once, and an erased device's go for good.
    @Suite(.timeLimit(.minutes(5))) struct SurveyRecordsEndTests {
        private static let headers = [
            (name: "ce_specversion", value: "1.0"), (name: "ce_source", value: "/scan-ingest"),
            (name: "ce_type", value: "whereabouts.survey-recorded.v1"),
            (name: "content-type", value: "application/json"),
        ]

        private static func id(_ number: Int) -> String {
            String(format: "0193b2a4-7c3e-7a10-8000-%012x", number + 1)
        }

        /// A survey as an earlier release stored it, with the key of its floor.
        private static func former(_ number: Int) -> RawRecord {
            var survey = SmallSite.scan([
                "id": id(number), "device": "pi-9", "scanner": "pi-9",
                "at": "2026-01-05T10:00:0\(number).000Z",
                "receivedAt": "2026-01-05T10:00:0\(number).000Z",
                "place": ["floor": "ground", "x": Double(number), "y": 2.0] as [String: Any],
                "author": "a-surveyor-of-before",
            ])
            survey["gnss"] = nil
            return RawRecord(
                key: Array("\(SmallSite.name)/ground".utf8), value: jsonText(survey),
                headers: headers + [(name: "ce_id", value: id(number))])
        }

        @Test("On PostgreSQL, former surveys are copied once, and erased surveys leave the log")
        func onPostgres() async throws { try await run(nil) }

        @Test(
            "On Kafka the same",
            .enabled(if: RealKafka.isInstalled, PipelineTests.noKafka))
        func onKafka() async throws {
            let kafka = try #require(RealKafka.start(), "the broker did not start")
            defer { kafka.stop() }
            try await run(kafka)
        }

        private func run(_ kafka: RealKafka?) async throws {
            let small = try await SmallSite(
                settings: ["WHEREABOUTS_MAP_QUIET": "100ms"], kafka: kafka)
            let campus = small.campus
            let root = "/v1/sites/\(SmallSite.name)"
            func fingerprints() async throws -> Int? {
                let answer = try await campus.send(
                    "GET", "\(root)/radio-map", token: small.administrator)
                return (answer.json["radioMap"] as? [String: Any])?["fingerprints"] as? Int
            }
            func copies() async throws -> [String] {
                try await campus.values(of: "whereabouts.survey-records")
                    .compactMap { jsonObject(Array($0.utf8))["id"] as? String }.sorted()
            }
            try await campus.append((0..<3).map(Self.former), to: "whereabouts.surveys")
            let own = (3..<6).map { number in
                let place: [String: Any] = ["floor": "ground", "x": Double(number), "y": 2.0]
                return String(
                    decoding: jsonText(
                        SmallSite.scan(["id": Self.id(number), "place": place])), as: UTF8.self)
            }
            let sent = try await campus.send(
                "POST", "/v1/surveys", token: small.administrator,
                body: Array(own.joined(separator: "\n").utf8))
            #expect(sent.status == 202, "\(sent.text)")
            try await eventually("both are in the map") { try await fingerprints() == 6 }
            let all = (0..<6).map(Self.id)
            #expect(try await copies() == all)

            // A killed builder copies nothing twice, and the rest after it.
            try await campus.restart("whereabouts")
            try await campus.append([Self.former(6)], to: "whereabouts.surveys")
            try await eventually("the last one is in the map") { try await fingerprints() == 7 }
            #expect(try await copies() == (0..<7).map(Self.id))

            let report = try await campus.send(
                "GET", "\(root)/devices/pi-9/report", token: small.administrator)
            #expect(report.json["complete"] as? Bool == true, "\(report.text)")
            #expect(report.text.contains("fingerprint_builder.surveys"), "\(report.text)")
            let erasure = try await campus.send(
                "DELETE", "\(root)/devices/pi-9", token: small.administrator)
            try #require(erasure.status == 202, "\(erasure.text)")
            let address = try #require(erasure.headers["location"])
            try await eventually("every service is done", seconds: 60) {
                let answer = try await campus.send("GET", address, token: small.administrator)
                return answer.json["done"] as? Bool == true
            }
            #expect(try await fingerprints() == 3)
            let answer = try await campus.send(
                "GET", "\(root)/surveys", token: small.administrator)
            #expect(answer.status == 200 && !answer.text.contains("pi-9"), "\(answer.text)")
            let kept = try await campus.psql(
                """
                SELECT (SELECT count(*) FROM radio_maps.radio_maps),
                    (SELECT count(*) FROM fingerprint_builder.surveys WHERE device = 'pi-9')
                """)
            #expect(kept == ["1\t0"], "former maps and rows are gone")
            if kafka == nil {
                let former = try await campus.values(of: "whereabouts.surveys")
                #expect(former.allSatisfy { !$0.contains("pi-9") }, "\(former)")
            }
            // A rebuild reads the log: the tombstones stand there.
            _ = try await campus.whereabouts("rebuild", "surveys")
            #expect(try await fingerprints() == 3)
            let rebuilt = try await campus.psql("SELECT count(*) FROM fingerprint_builder.surveys")
            #expect(rebuilt == ["3"])
            #expect(campus.stop() == ["whereabouts": 0])
        }
    }
}
