import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Readiness") struct ReadinessTests {
        @Test(
            "While PostgreSQL is away the process is alive but not ready; it comes back by itself")
        func postgres() async throws {
            let postgres = try PrivatePostgres()
            defer { postgres.stop() }
            let campus = try await Campus(.postgres, .together, postgres: postgres)
            defer { _ = campus.stop() }
            postgres.stop()
            try await becomes(campus, "whereabouts", failing: ["log", "database"])
            #expect(try await campus.ask("whereabouts", "/healthz").status == 200)
            try postgres.start()
            try await becomes(campus, "whereabouts", failing: [])
            // Told once, however often it was tried.
            #expect(campus.messages.split(separator: "Reading whereabouts.site fails").count == 2)
        }

        @Test(
            "On Kafka each process is ready when what it needs itself is there",
            .enabled(if: RealKafka.isInstalled, PipelineTests.noKafka))
        func kafka() async throws {
            let postgres = try PrivatePostgres()
            defer { postgres.stop() }
            let kafka = try #require(RealKafka.start(), "the brokers did not start")
            defer { kafka.stop() }
            let campus = try await Campus(.kafka, .apart, kafka: kafka, postgres: postgres)
            defer { _ = campus.stop() }
            postgres.stop()
            try await becomes(campus, "site-editor", failing: ["database"])
            try await becomes(campus, "scan-ingest", failing: [])
            kafka.crash()
            try await becomes(campus, "scan-ingest", failing: ["log"])
            kafka.restart()
            try postgres.start()
            for name in campus.names { try await becomes(campus, name, failing: []) }
        }

        /// Within a minute, which is long: on an idle machine it takes less than ten seconds.
        private func becomes(_ campus: Campus, _ service: String, failing wanted: Set<String>)
            async throws
        {
            try await eventually("\(service) fails in \(wanted): \(campus.messages)") {
                let answer = try await campus.ask(service, "/readyz")
                let checks = answer.json["checks"] as? [[String: Any]] ?? []
                let failing = checks.filter { $0["state"] as? String != "ready" }
                return answer.status == (wanted.isEmpty ? 200 : 503)
                    && Set(failing.compactMap { $0["name"] as? String }) == wanted
            }
        }
    }
}
