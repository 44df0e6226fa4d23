import Foundation
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Data of former releases") struct FormerEndTests {
        /// Tokens of Tests/Shared/Former/a13180a.sql.gz.
        private static let administrator = "wab_yqhu_3lt7UnF6TvYd5gHnZnk2ud2P6i9a1NU9ZIi3PY"
        private static let device = "wab_dgGzpWCWeTlyQjB4esu3GBVjo48foOqlLvn-7yT7BmQ"
        private static let surveyor = "wab_jFV7xBD6UJiGlISRRDzg9WHmOxaMoJ9RtS9QzA2jnAg"
        private static let revoked = "wab_k4WCoI_FS3MSXKHJ1sKowNTXr0EEeVzbowb3ank-dxo"

        /// The file gets older, and its records with it.
        private static let settings = [
            "WHEREABOUTS_PARTITIONS": "2", "WHEREABOUTS_RETENTION_SCANS": "3650d",
            "WHEREABOUTS_RETENTION_POSITIONS": "3650d", "WHEREABOUTS_RETENTION_VISITS": "3650d",
        ]
        private static let steps = "SELECT schema_name || ' ' || name FROM public.migrations"
        private static let topics = "SELECT name FROM log.topics ORDER BY 1"

        private static func psql(_ database: String, _ statements: [UInt8]) async throws -> [String]
        {
            try await ProgramRun.of(
                ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", database],
                input: statements
            ).successful().lines
        }

        @Test(
            "a13180a's tokens, sites, maps, surveys and positions work on, as the check said before"
        )
        func a13180a() async throws {
            let file = repository.appending(path: "Tests/Shared/Former/a13180a.sql.gz").path
            let dump = try await ProgramRun.of(["gunzip", "-c", file]).successful().output
            var check: [String: Any] = [:]
            var known: (steps: Set<String>, topics: Set<String>) = ([], [])
            let campus = try await Campus(
                .postgres, .together, settings: Self.settings,
                before: { environment in
                    let database = environment["DATABASE_URL"] ?? ""
                    _ = try await Self.psql(database, Array(dump.utf8))
                    let steps = try await Self.psql(database, Array(Self.steps.utf8))
                    let topics = try await Self.psql(database, Array(Self.topics.utf8))
                    known = (Set(steps), Set(topics))
                    check = try await ProgramRun.of(
                        Programs.command("whereabouts") + ["upgrade", "--check", "--json"],
                        environment: environment
                    ).successful().summary
                })
            defer { _ = campus.stop() }

            try await expectPlanned(check, campus, known)
            try await expectTokens(campus)
            try await expectData(campus)
            try await expectNames(campus)
            let after = try await campus.whereabouts("upgrade", "--check")
            #expect(after.lines.first == "Nothing changes: tables and topics are up to date.")
        }

        /// What was done is what the check had listed.
        private func expectPlanned(
            _ check: [String: Any], _ campus: Campus,
            _ known: (steps: Set<String>, topics: Set<String>)
        ) async throws {
            let planned = (check["tables"] as? [[String: Any]] ?? []).flatMap { schema in
                (schema["steps"] as? [String] ?? []).map {
                    "\(schema["schema"] as? String ?? "") \($0)"
                }
            }
            let done = Set(try await campus.psql(Self.steps)).subtracting(known.steps)
            #expect(done == Set(planned) && done.count > 5)
            #expect(done.contains { $0.hasPrefix("locator_counts ") })
            let made = Set(try await campus.psql(Self.topics)).subtracting(known.topics)
            let topics = (check["topics"] as? [String] ?? []).joined(separator: "\n")
            #expect(made.contains("whereabouts.survey-records"))
            for topic in made { #expect(topics.contains(topic), "\(topic): \(topics)") }
            let events = check["events"] as? [String: Int] ?? [:]
            #expect(events["whereabouts.tokens"] == 4 && events["whereabouts.outages"] == 1)
            #expect(events["whereabouts.surveys"] == 548)
            #expect(check["canGoBack"] as? Bool == false)
        }

        private func expectTokens(_ campus: Campus) async throws {
            func status(_ path: String, _ token: String) async throws -> Int {
                try await campus.send("GET", path, token: token).status
            }
            #expect(try await status("/v1/tokens", Self.administrator) == 200)
            // A device sees its own positions.
            let own = "/v1/positions?site=sim&device=walker-1"
            let positions = try await campus.send("GET", own, token: Self.device)
            #expect(positions.status == 200 && positions.lines.count == 15, "\(positions.text)")
            #expect(try await status("/v1/sites/sim/survey-quality", Self.surveyor) == 200)
            #expect(try await status("/v1/sites/sim", Self.revoked) == 401)
        }

        private func expectData(_ campus: Campus) async throws {
            let site = try await campus.send("GET", "/v1/sites/sim", token: Self.administrator)
            #expect(site.status == 200 && site.text.contains("\"buildings\""))
            try await eventually("the map is built: \(campus.messages)", seconds: 60) {
                try await campus.send(
                    "GET", "/v1/sites/sim/radio-map", token: Self.administrator
                ).status == 200
            }
            try await eventually("the views have caught up: \(campus.messages)", seconds: 60) {
                let surveys = try await campus.send(
                    "GET", "/v1/sites/sim/surveys?limit=1000", token: Self.surveyor)
                return (surveys.json["surveys"] as? [Any])?.count == 548
            }
            let copied = try await campus.psql(
                """
                SELECT sum(p.next_offset - p.start_offset) FROM log.partitions p
                JOIN log.topics t ON t.id = p.topic WHERE t.name = 'whereabouts.survey-records'
                """)
            #expect(copied == ["548"])
            let page = try await campus.send(
                "GET", "/v1/positions?site=sim&limit=1000", token: Self.administrator)
            #expect(page.lines.count == 30, "\(page.text)")
            #expect(!page.text.contains("\"lost\""))
            let visits = try await campus.send(
                "GET", "/v1/visits?site=sim", token: Self.administrator)
            #expect(visits.lines.count == 3, "\(visits.text)")
            // Its scans can be located again, on the present map.
            let again = try await campus.whereabouts(
                "relocate", "--since", "2026-11-24T00:00:00Z", "--site", "sim", "--positioner",
                "auto",
                "--compare", token: Self.administrator
            ).summary
            #expect(again["scans"] as? Int == 30, "\(again)")
        }

        /// Names and notes have moved, and the log gets its events again without them.
        private func expectNames(_ campus: Campus) async throws {
            let tokens = try await campus.send("GET", "/v1/tokens", token: Self.administrator)
            #expect(tokens.text.contains("Berta's telephone"))
            let outages = try await campus.send(
                "GET", "/v1/outages?site=sim", token: Self.administrator)
            #expect(outages.text.contains("Dora Dahl"), "\(outages.text)")
            #expect(
                try await campus.psql("SELECT topic FROM site_editor_names.rewritten ORDER BY 1")
                    == ["outages", "tokens"])
        }
    }
}
