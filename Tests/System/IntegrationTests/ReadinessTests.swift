import Postgres
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
            // A failure that begins in the first ten seconds is logged only if it lasts longer.
            try await eventually("the failure is logged: \(campus.messages)") {
                campus.messages.contains("Reading whereabouts.site fails")
            }
            try postgres.start()
            try await becomes(campus, "whereabouts", failing: [])
            // Told once, however often it was tried.
            #expect(campus.messages.split(separator: "Reading whereabouts.site fails").count == 2)
        }

        @Test(
            "While PostgreSQL's disk is full the process is alive but not ready, and says why",
            .enabled(if: SmallDisk.obstacle == nil, "\(SmallDisk.obstacle ?? "")"))
        func fullDisk() async throws {
            let (server, database) = try await SmallDisk.make(megabytes: 80)
            defer { server.stop() }
            let campus = try await Campus(
                .postgres, .together, settings: ["DATABASE_URL": database.connectionString],
                postgres: server)
            defer { _ = campus.stop() }
            let token = try await campus.whereabouts(
                "token", "create", "--role", "administrator", "--plain"
            ).lines.last
            func psql(
                _ statement: String, in configuration: PostgresConfiguration
            ) async throws -> ProgramRun {
                try await ProgramRun.of([
                    "psql", "-X", "-q", "-d", configuration.connectionString, "-c", statement,
                ])
            }
            // What will make room again: nobody can begin a session in a database whose disk is full.
            _ = try await psql(
                "CREATE TABLE ballast TABLESPACE small AS "
                    + "SELECT repeat('x', 1900) FROM generate_series(1, 8000)",
                in: server.configuration()
            ).successful()
            _ = try await psql("CREATE TABLE filler (text text)", in: database).successful()
            for rows in [1_000, 10] {
                let fill =
                    "INSERT INTO filler SELECT repeat('x', 1900) FROM generate_series(1, \(rows))"
                while try await psql(fill, in: database).status == 0 {}
            }
            // What fits into pages that are there is still taken.
            try await eventually("nobody is told that the disk is full: \(campus.messages)") {
                let answer = try await campus.send(
                    "POST", "/v1/tokens", token: token, body: Array(#"{"role":"visitor"}"#.utf8))
                return answer.status == 503 && answer.code == "storage-full"
            }
            try await eventually("it is ready: \(campus.messages)") {
                let answer = try await campus.ask("whereabouts", "/readyz")
                return answer.status == 503
                    && answer.text.contains("the disk of PostgreSQL is full")
            }
            #expect(try await campus.ask("whereabouts", "/healthz").status == 200)
            _ = try await psql("DROP TABLE ballast", in: server.configuration()).successful()
            try await becomes(campus, "whereabouts", failing: [])
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
