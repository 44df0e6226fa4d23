import Foundation
import HTTPClient
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("PostgreSQL away, Kafka up") struct PostgresAwayTests {
        private static let scans = 40

        @Test(
            "scan-ingest, locator and router start, take scans and locate; then the views catch up",
            .enabled(if: RealKafka.isInstalled, PipelineTests.noKafka))
        func startsWithout() async throws {
            let kafka = try #require(RealKafka.start(), "the brokers did not start")
            defer { kafka.stop() }
            let postgres = try PrivatePostgres()
            defer { postgres.stop() }
            let campus = try await Campus(.kafka, .apart, kafka: kafka, postgres: postgres)
            defer { _ = campus.stop() }
            let scenario = try await PipelineScenario(campus)
            // The map is loaded, so fingerprint-builder has it in memory.
            try await located(scenario)
            postgres.stop()
            let client = HTTPClient()
            defer { client.close() }
            for service in ["scan-ingest", "locator", "router"] {
                try await campus.restart(service)
            }
            try await eventually("the router is ready: \(campus.messages)", seconds: 60) {
                try await client.send("GET", campus.url("router") + "/readyz").status == 200
            }
            try await located(scenario)
            let ids = try await sendScans(scenario)
            try await eventually("each scan has a position: \(campus.messages)", seconds: 60) {
                try await Set(scenario.locatedInLog()).isSuperset(of: ids)
            }
            try postgres.start()
            try await eventually("the view catches up: \(campus.messages)", seconds: 60) {
                try await scenario.locatedInView() == scenario.locatedInLog()
            }
            #expect(try await scenario.locatedInView() == ids.sorted())
        }

        private func located(_ scenario: PipelineScenario) async throws {
            let scan = try scenario.scan(device: "walker-1")
            try await eventually("a scan is located", seconds: 60) {
                let answer = try? await scenario.campus.send(
                    "POST", "/v1/locate", token: scenario.administrator, body: jsonText(scan))
                return answer?.json["state"] as? String == "located"
            }
        }

        /// - Returns: the ids of the scans.
        private func sendScans(_ scenario: PipelineScenario) async throws -> [String] {
            var ids: [String] = []
            for index in 0..<Self.scans {
                var scan = try scenario.scan(device: "walker-\(1 + index % 8)", index: index / 8)
                let id = UUID().uuidString.lowercased()
                scan["id"] = id
                let body = jsonText(scan)
                // The same id again is harmless while the service starts.
                try await eventually("the scan is accepted") {
                    let answer = try? await scenario.campus.send(
                        "POST", "/v1/scans", token: scenario.administrator, body: body)
                    return answer?.status == 202
                }
                ids.append(id)
            }
            return ids
        }
    }
}
