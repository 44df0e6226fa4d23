import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// PostgreSQL alone is put back to the day before, while the log goes on.
    @Suite("PostgreSQL alone was restored", .timeLimit(.minutes(10))) struct ReconcileEndTests {
        @Test("On PostgreSQL's log") func postgres() async throws { try await putBack(nil) }

        @Test("On Kafka", .enabled(if: RealKafka.isInstalled))
        func kafka() async throws {
            let kafka = try #require(RealKafka.start())
            defer { kafka.stop() }
            try await putBack(kafka)
        }

        private func putBack(_ kafka: RealKafka?) async throws {
            let backups = try makeTemporaryFolder("backups")
            AtExit.remove(backups.path)
            let site = try await SmallSite(
                settings: [
                    "WHEREABOUTS_BACKUPS": backups.path, "WHEREABOUTS_MAP_QUIET": "100ms",
                ], kafka: kafka)
            let day = Day(site: site)
            let before = try await day.before()
            let dump = try await Dump(site.campus)
            let after = try await day.after(before)
            _ = site.campus.stop()
            try await dump.putBack()
            try await site.campus.restart("whereabouts")
            try await expectTold(site)
            try await expectReading(site)

            let told = try await site.campus.whereabouts("reconcile", "--check")
            #expect(told.summary["wouldReconcile"] as? Bool == true)
            #expect(try await day.names() == [before.name])
            #expect(try await day.version() == 1)
            let mended = try await site.campus.whereabouts("reconcile")
            for (name, count) in [
                "sites": 1, "tokens": 1, "tokensRevoked": 1, "outages": 2, "erasures": 1,
            ] {
                #expect(told.summary[name] as? Int == count, "\(name): \(told.summary)")
                #expect(mended.summary[name] as? Int == count, "\(name): \(mended.summary)")
            }
            try await eventually("commands are taken again: \(site.campus.messages)", seconds: 30) {
                try await day.publish("Small 4") == 200
            }
            try await day.expectAll(of: before, after)
            let again = try await site.campus.whereabouts("reconcile").summary
            #expect(again["reconciled"] as? Bool == false, "\(again)")
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        /// Within 30 seconds, wherever an operator looks.
        private func expectTold(_ site: SmallSite) async throws {
            let campus = site.campus
            try await eventually("it is told: \(campus.messages)", seconds: 30) {
                let ready = try await campus.ask("whereabouts", "/readyz")
                return ready.status == 503
                    && ready.text.contains("the tables of site_editor are older than the log")
                    && ready.text.contains("whereabouts reconcile")
            }
            let metrics = try await campus.ask("whereabouts", "/metrics").text
            #expect(metrics.contains("whereabouts_not_reconciled{outbox=\"site_editor\"} 1"))
            #expect(metrics.contains("whereabouts_not_reconciled{outbox=\"magnetic_routes\"} 0"))
            #expect(campus.messages.contains("are older than the log"))
            let doctor = try await DoctorRun(campus)
            #expect(doctor.names("wrong").contains("not-reconciled"), "\(doctor.said)")
        }

        /// Reading and locating go on, and no command is taken.
        private func expectReading(_ site: SmallSite) async throws {
            let path = "/v1/sites/\(SmallSite.name)"
            let refused = try await site.campus.send(
                "PUT", path, token: site.administrator, body: jsonText(SmallSite.document))
            #expect(refused.status == 503 && refused.code == "not-reconciled", "\(refused.text)")
            #expect(refused.headers["retry-after"] != nil)
            let tokens = try await site.campus.send(
                "POST", "/v1/tokens", token: site.administrator,
                body: jsonText(["role": "visitor", "site": SmallSite.name]))
            #expect(tokens.code == "not-reconciled")
            do {
                _ = try await site.campus.whereabouts(
                    "token", "create", "--role", "visitor", "--site", SmallSite.name)
                Issue.record("a token was made that would never work")
            } catch {
                #expect("\(error)".contains("older than the log"), "\(error)")
            }
            #expect(
                try await site.campus.send("GET", path, token: site.administrator).status == 200)
            let scan = UUID().uuidString.lowercased()
            #expect(
                try await site.campus.send(
                    "POST", "/v1/scans", token: site.device,
                    body: jsonText(SmallSite.scan(["id": scan]))
                ).status == 202)
            try await eventually("it is located") {
                try await site.campus.psql(
                    "SELECT 1 FROM locator.positions WHERE scan_id = '\(scan)'") == ["1"]
            }
        }
    }

    /// All of an installation's tables but the log, as one copy of the day before has them.
    struct Dump {
        private static let schemas = """
            SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN \
            ('information_schema', 'public', 'log')
            """
        private let campus: Campus
        private let file: String

        init(_ campus: Campus) async throws {
            self.campus = campus
            file = campus.folder.appending(path: "yesterday.sql").path
            let database = try #require(campus.environment["DATABASE_URL"])
            _ = try await ProgramRun.of(
                ["pg_dump", "-N", "public", "-N", "log", "-f", file, database]
            ).successful()
        }

        func putBack() async throws {
            let schemas = try await campus.psql(Self.schemas)
            for schema in schemas { try await campus.psql("DROP SCHEMA \(schema) CASCADE") }
            try await campus.psql(String(contentsOfFile: file, encoding: .utf8))
        }
    }

    /// What happens before and after the copy.
    private struct Day {
        let site: SmallSite

        struct Before {
            var device: String
            var name: String
            var outage: String
            var token: (id: String, text: String)
            var map: Int
        }

        struct After {
            var token: String
            var outage: String
            var map: Int
        }

        private func send(
            _ method: String, _ path: String, _ body: [String: Any]? = nil
        ) async throws -> Answer {
            try await site.campus.send(
                method, path, token: site.administrator, body: body.map(jsonText) ?? [])
        }

        private func token() async throws -> (id: String, text: String) {
            let made = try await send(
                "POST", "/v1/tokens", ["role": "visitor", "site": SmallSite.name])
            let id = try #require(made.json["id"] as? String, "\(made.text)")
            return (id, try #require(made.json["token"] as? String))
        }

        private func outage(_ reason: String) async throws -> String {
            let made = try await send(
                "POST", "/v1/outages",
                [
                    "site": SmallSite.name, "connection": "door-ab", "reason": reason,
                    "reportedBy": "Anna",
                ])
            return try #require(made.json["id"] as? String, "\(made.text)")
        }

        private func survey(_ count: Int) async throws -> Int {
            let surveys = (0..<count).map { number in
                SmallSite.scan([
                    "id": UUID().uuidString.lowercased(),
                    // Other places than before: copies would not change the map.
                    "place": [
                        "floor": "ground", "x": Double(number % 10) * 2, "y": Double(count) / 10,
                    ]
                        as [String: Any],
                ])
            }
            let known = try await map()
            let sent = try await site.campus.send(
                "POST", "/v1/surveys", token: site.surveyor,
                body: Array(
                    surveys.map { String(decoding: jsonText($0), as: UTF8.self) }
                        .joined(separator: "\n").utf8))
            #expect(sent.status == 202, "\(sent.text)")
            try await eventually("the next map is there") { try await map() > known }
            return try await map()
        }

        func map() async throws -> Int {
            let answer = try await send("GET", "/v1/sites/\(SmallSite.name)/radio-map")
            return (answer.json["radioMap"] as? [String: Any])?["version"] as? Int ?? 0
        }

        func names() async throws -> [String] {
            try await site.campus.psql("SELECT name FROM site_editor_names.devices")
        }

        func version() async throws -> Int? {
            Int(try await site.campus.psql("SELECT version FROM site_editor.sites").first ?? "")
        }

        func publish(_ name: String) async throws -> Int {
            var document = SmallSite.document
            document["name"] = name
            return try await send("PUT", "/v1/sites/\(SmallSite.name)", document).status
        }

        func before() async throws -> Before {
            let name = "Anna's watch \(UUID().uuidString)"
            let enrolled = try await send(
                "POST", "/v1/sites/\(SmallSite.name)/devices", ["name": name])
            return Before(
                device: try #require(enrolled.json["id"] as? String, "\(enrolled.text)"),
                name: name, outage: try await outage("stuck"), token: try await token(),
                map: try await survey(10))
        }

        func after(_ before: Before) async throws -> After {
            for name in ["Small 2", "Small 3"] { #expect(try await publish(name) == 200) }
            #expect(try await send("DELETE", "/v1/tokens/\(before.token.id)").status < 300)
            let token = try await token()
            #expect(
                try await send("DELETE", "/v1/outages/\(before.outage)?endedBy=Bert").status == 204)
            let outage = try await outage("flooded")
            let erased = try await send(
                "DELETE", "/v1/sites/\(SmallSite.name)/devices/\(before.device)")
            #expect(erased.status == 202)
            let map = try await survey(14)
            try await eventually("the outboxes are empty") {
                try await site.campus.psql(
                    """
                    SELECT (SELECT count(*) FROM site_editor.outbox)
                        + (SELECT count(*) FROM radio_maps.outbox)
                    """) == ["0"]
            }
            return After(token: token.text, outage: outage, map: map)
        }

        /// All that the log had is there, and nobody who was erased or lost a right.
        func expectAll(of before: Before, _ after: After) async throws {
            let path = "/v1/sites/\(SmallSite.name)"
            // The publication after the mending goes on behind those that were forgotten.
            #expect(try await version() == 4)
            try await eventually("all processes have the new version") {
                try await send("GET", path).json["name"] as? String == "Small 4"
            }
            #expect(try await site.campus.send("GET", path, token: after.token).status == 200)
            #expect(
                try await site.campus.send("GET", path, token: before.token.text).status == 401)
            let open = try await send(
                "GET", "/v1/outages?site=\(SmallSite.name)&active=true")
            let outages = open.json["outages"] as? [[String: Any]] ?? []
            #expect(outages.compactMap { $0["id"] as? String } == [after.outage], "\(open.text)")
            #expect(try await names().isEmpty)
            let device = try await send("GET", "\(path)/devices/\(before.device)")
            #expect(device.status == 404)
            try await eventually("a map of all surveys has a new number") {
                let answer = try await send("GET", "\(path)/radio-map")
                let map = answer.json["radioMap"] as? [String: Any] ?? [:]
                let surveys = try await site.campus.psql(
                    "SELECT surveys FROM radio_maps.radio_maps ORDER BY version DESC LIMIT 1")
                return map["version"] as? Int ?? 0 > after.map
                    && map["fingerprints"] as? Int ?? 0 > 0 && surveys == ["24"]
            }
        }
    }
}
