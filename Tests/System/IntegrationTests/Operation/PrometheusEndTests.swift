import Foundation
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Metrics, dashboards and rules") struct PrometheusEndTests {
        /// The queries of a dashboard's panels, with the panels' titles.
        private func queries(_ dashboard: String) throws -> [(panel: String, query: String)] {
            let file = repository.appending(path: "deploy/grafana/\(dashboard).json")
            let panels = jsonObject(Array(try Data(contentsOf: file)))["panels"]
            return (panels as? [[String: Any]] ?? []).flatMap { panel in
                (panel["targets"] as? [[String: Any]] ?? []).map {
                    (panel["title"] as? String ?? "", $0["expr"] as? String ?? "")
                }
            }
        }

        /// The metrics of our own that the table on the page of alarms names.
        private func documented() throws -> Set<String> {
            let page = try String(
                contentsOf: repository.appending(path: "docs/operation/alarms.md"), encoding: .utf8)
            return Set(page.matches(of: /(?m)^\| `(whereabouts_\w+)` \|/).map { String($0.1) })
        }

        private func shown(_ campus: Campus) async throws -> Set<String> {
            var names: Set<String> = []
            for service in campus.names {
                let text = try await campus.ask(service, "/metrics").text
                names.formUnion(
                    text.matches(of: #/(?m)^# TYPE (whereabouts_\w+) /#).map { String($0.1) })
            }
            return names
        }

        @Test(
            "Every query of every panel and every rule gives a series, and the doctor agrees",
            .enabled(if: PrometheusServer.isInstalled, "prometheus is not installed"),
            .enabled(if: AlarmReceivers.isInstalled, "openssl is not installed"),
            .enabled(if: PrivateBroker.isUsable),
            .enabled(if: RealKafka.isInstalled, PipelineTests.noKafka))
        func series() async throws {
            let kafka = try #require(RealKafka.start(), "the brokers did not start")
            defer { kafka.stop() }
            let folder = try makeTemporaryFolder("watched")
            defer { try? FileManager.default.removeItem(at: folder) }
            let server = try await certificateServer(in: folder)
            defer { server.process.end(with: SIGTERM) }
            let broker = try PrivateBroker()
            defer { broker.stop() }
            let report = ["finishedAt": Date().ISO8601Format(), "ok": true] as [String: Any]
            try Data(jsonText(report)).write(to: folder.appending(path: "last-backup.json"))
            let campus = try await Campus(
                .kafka, .apart,
                settings: [
                    "WHEREABOUTS_BACKUPS": folder.path,
                    // Nothing is sent there, since nothing is wrong.
                    "WHEREABOUTS_ALARM_WEBHOOK": "http://127.0.0.1:9/",
                    "WHEREABOUTS_PUBLIC_URL": "https://127.0.0.1:\(server.port)",
                    "KAFKA_STATISTICS_INTERVAL_MS": "2000",
                    "WHEREABOUTS_MQTT_URL": "mqtt://127.0.0.1:\(broker.port)",
                    "WHEREABOUTS_MQTT_SITE": "campus", "WHEREABOUTS_SMOOTHING": "on",
                ], kafka: kafka)
            defer { _ = campus.stop() }
            let prometheus = try await PrometheusServer(scraping: campus)
            defer { prometheus.stop() }

            var asked = try ["overview", "processes", "kafka", "edge"].flatMap(queries)
            #expect(asked.count > 40)
            let rules = try await prometheus.rules()
            #expect(rules.count > 15)
            for rule in rules {
                // Without its limit, since nothing is wrong here.
                let query = rule.query.replacing(#/ [<>] [\d.]+$/#, with: "")
                #expect(query != rule.query)
                asked.append((rule.name, query))
            }
            for (name, query) in asked {
                // It would be a series without any service.
                #expect(!query.contains("vector("), "\(name)")
                try await eventually("\(name) has a series: \(query)") {
                    try await prometheus.count(query) > 0
                }
            }
            #expect(try await prometheus.count("whereabouts_no_such_metric") == 0)

            let (shown, documented) = (try await shown(campus), try documented())
            #expect(shown.subtracting(documented) == [])
            // They are made at the first dead letter, and at a site's first battery.
            let missing = documented.subtracting(shown).subtracting([
                "whereabouts_dead_letters_total", "whereabouts_beacon_batteries_low",
            ])
            #expect(missing == [])

            try await doctor(campus, kafka)
        }

        private func doctor(_ campus: Campus, _ kafka: RealKafka) async throws {
            let good = try await DoctorRun(campus)
            #expect(good.names("wrong").isEmpty, "\(good.said)")
            #expect(good.names("can't tell").isEmpty, "\(good.said)")
            #expect(good.names("ok").isSuperset(of: ["backup", "certificate"]), "\(good.said)")
            let changed = try await DoctorRun(campus, ["WHEREABOUTS_RETENTION_VISITS": "3d"])
            #expect(
                changed.said.contains(
                    "retention.ms of whereabouts.visits is 2592000000, not 259200000"),
                "\(changed.said)")
            kafka.crash()
            let away = try await DoctorRun(campus)
            #expect(away.status == 1)
            #expect(away.names("wrong").contains("log"), "\(away.said)")
            #expect(away.names("ok").contains("postgresql"), "\(away.said)")
        }

        /// A server that shows a certificate.
        private func certificateServer(
            in folder: URL
        ) async throws -> (process: ServerProcess, port: String) {
            let (certificate, key) = try AlarmReceivers.makeCertificate(in: folder)
            let log = folder.appending(path: "tls.log")
            let process = try ServerProcess(
                [
                    "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key",
                    key, "-www",
                ], logPath: log.path)
            var port: String?
            try await eventually("the TLS server listens") {
                let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                port = text.firstMatch(of: /ACCEPT [\d.]+:(\d+)/).map { String($0.1) }
                return port != nil
            }
            return (process, port ?? "")
        }
    }
}
