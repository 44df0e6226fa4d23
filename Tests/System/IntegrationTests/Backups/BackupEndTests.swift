import Foundation
import Synchronization
import TestSupport
import Testing

extension IntegrationTests {
    /// A machine is lost, and an empty one gets the backup, whichever server has the log.
    @Suite("Backup and restore", .timeLimit(.minutes(10))) struct BackupEndTests {
        private static let sound: [UInt8] =
            Array("OggS".utf8) + (4..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0) }

        @Test("From PostgreSQL's log to Kafka's", .enabled(if: RealKafka.isInstalled))
        func toKafka() async throws { try await lose(.postgres, restoreOn: .kafka) }

        @Test("From Kafka's log to PostgreSQL's", .enabled(if: RealKafka.isInstalled))
        func toPostgres() async throws { try await lose(.kafka, restoreOn: .postgres) }

        @Test("Every schema of a running system is in backups, or is made from the log again")
        func schemas() async throws {
            let backups = try makeTemporaryFolder("backups")
            AtExit.remove(backups.path)
            let site = try await SmallSite(
                Campus(
                    .postgres, .together, settings: ["WHEREABOUTS_BACKUPS": backups.path]))
            let made = try await site.campus.whereabouts("backup", "make").summary
            // site-editor writes erasures beside the backups.
            #expect(made["warning"] == nil)
            let name = try #require(made["name"] as? String)
            let manifest = jsonObject(
                Array(try Data(contentsOf: backups.appending(path: "\(name)/manifest.json"))))
            let kept = (manifest["schemas"] as? [[String: Any]] ?? []).compactMap {
                $0["name"] as? String
            }
            #expect(kept.count >= 4)
            let schemas = try await site.campus.psql(
                "SELECT DISTINCT schema_name FROM public.migrations ORDER BY 1")
            let views = [
                "fingerprint_builder", "locator", "node_hearings", "smoothed", "surveyed_places",
                "visits",
            ]
            #expect(schemas.sorted() == (["log"] + kept + views).sorted())
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        private func lose(_ old: Campus.Log, restoreOn new: Campus.Log) async throws {
            let backups = try makeTemporaryFolder("backups")
            AtExit.remove(backups.path)
            let settings = [
                "WHEREABOUTS_BACKUPS": backups.path, "WHEREABOUTS_MAP_QUIET": "100ms",
                "WHEREABOUTS_VISIT_DWELL": "0s",
            ]
            let kafka = try #require(RealKafka.start())
            defer { kafka.stop() }
            let site = try await SmallSite(
                Campus(old, .together, settings: settings, kafka: old == .kafka ? kafka : nil))
            let before = try await Known(site)
            let load = Load(site)
            try await load.until(100)
            let made = try await site.campus.whereabouts("backup", "make").summary
            let name = try #require(made["name"] as? String)
            let moment = try #require(
                (made["acceptedBefore"] as? String).flatMap { Self.date($0) })
            try await load.until(150)
            // Erased after the backup, which still has it.
            try await before.erase(in: backups)
            await load.stop()
            #expect(site.campus.stop() == ["whereabouts": 0])
            let copy = Campus.Log.kafka == new ? kafka : nil
            let campus = try await Campus(
                new, .together, settings: settings, kafka: copy,
                before: { environment in
                    let checked = try await ProgramRun.of(
                        Programs.command("whereabouts")
                            + ["backup", "restore", name, "--check"], environment: environment
                    ).successful().summary
                    #expect(checked["checked"] as? String == name)
                    let restored = try await ProgramRun.of(
                        Programs.command("whereabouts") + ["backup", "restore", name],
                        environment: environment
                    ).successful().summary
                    #expect(restored["restored"] as? String == name)
                    #expect(restored["isContinued"] as? Bool == false)
                    #expect(restored["ofErasedDevices"] as? Int ?? 0 > 0)
                    // The log of the backup has all that the tables announce.
                    #expect(restored["announcedAgain"] as? Int == 0)
                })
            try await before.expectSame(campus)
            try await expectEachScanOnce(load, before: moment, campus, site)
            try await before.expectErased(campus)
            #expect(campus.stop() == ["whereabouts": 0])
        }

        /// All accepted before the moment is there once. Then everything is sent again, as devices
        /// do that did not hear an answer, and is there once as well.
        private func expectEachScanOnce(
            _ load: Load, before moment: Date, _ campus: Campus, _ site: SmallSite
        ) async throws {
            func located() async throws -> [String] {
                try await campus.psql("SELECT scan_id FROM locator.positions WHERE device = 'pi-1'")
            }
            let accepted = load.accepted
            let early = Set(accepted.filter { $0.at < moment }.map(\.id))
            #expect(early.count >= 100 && early.count < accepted.count)
            try await eventually("all accepted before the backup is located", seconds: 120) {
                Set((try? await located()) ?? []).isSuperset(of: early)
            }
            for scan in accepted {
                try await eventually("\(scan.id) is accepted again") {
                    try await campus.send(
                        "POST", "/v1/scans", token: site.device,
                        body: jsonText(SmallSite.scan(["id": scan.id]))
                    ).status == 202
                }
            }
            let all = Set(accepted.map(\.id))
            try await eventually("all is located", seconds: 120) {
                Set(try await located()).isSuperset(of: all)
            }
            let inView = try await located().filter(all.contains).sorted()
            #expect(inView == all.sorted())
            let inLog = try await campus.values(of: "whereabouts.positions")
                .compactMap { jsonObject(Array($0.utf8))["scanId"] as? String }
                .filter(all.contains).sorted()
            #expect(inLog == all.sorted())
        }

        private static func date(_ text: String) -> Date? {
            try? Date(
                text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }

        /// What is there before the machine is lost.
        private struct Known {
            let site: SmallSite
            let device: String
            let media: String
            /// The radio map's.
            let version: Int
            let name = "Anna's watch \(UUID().uuidString)"

            init(_ site: SmallSite) async throws {
                self.site = site
                let campus = site.campus
                let enrolled = try await campus.send(
                    "POST", "/v1/sites/\(SmallSite.name)/devices", token: site.administrator,
                    body: jsonText(["name": name]))
                device = try #require(enrolled.json["id"] as? String, "\(enrolled.text)")
                let kept = try await campus.send(
                    "POST", "/v1/media", token: site.administrator, body: BackupEndTests.sound,
                    headers: [("content-type", "audio/ogg")])
                let media = try #require(kept.json["media"] as? [String: Any], "\(kept.text)")
                self.media = try #require(media["hash"] as? String)
                let surveys = (0..<30).map { number in
                    SmallSite.scan([
                        "id": UUID().uuidString.lowercased(),
                        "place": [
                            "floor": "ground", "x": Double(number % 10) * 2,
                            "y": Double(number / 10),
                        ] as [String: Any],
                    ])
                }
                let sent = try await campus.send(
                    "POST", "/v1/surveys", token: site.surveyor,
                    body: Array(
                        surveys.map { String(decoding: jsonText($0), as: UTF8.self) }
                            .joined(separator: "\n").utf8))
                #expect(sent.status == 202, "\(sent.text)")
                let (device, administrator) = (device, site.administrator)
                try await eventually("the watch is located") {
                    _ = try await campus.send(
                        "POST", "/v1/scans", token: administrator,
                        body: jsonText(SmallSite.scan(["device": device, "scanner": device])))
                    return try await campus.psql(
                        "SELECT 1 FROM locator.positions WHERE device = '\(device)'"
                    ).isEmpty == false
                }
                try await eventually("the map is built") {
                    try await Self.map(campus, site)["fingerprints"] as? Int == 30
                }
                // On a slow machine maps of the first surveys are built, too.
                let map = try await Self.map(campus, site)
                version = try #require(map["version"] as? Int)
            }

            private static func map(
                _ campus: Campus, _ site: SmallSite
            ) async throws -> [String: Any] {
                try await campus.send(
                    "GET", "/v1/sites/\(SmallSite.name)/radio-map", token: site.administrator
                ).json["radioMap"] as? [String: Any] ?? [:]
            }

            func erase(in backups: URL) async throws {
                let asked = try await site.campus.send(
                    "DELETE", "/v1/sites/\(SmallSite.name)/devices/\(device)",
                    token: site.administrator)
                #expect(asked.status == 202, "\(asked.text)")
                try await eventually("the erasure lies beside the backups") {
                    let files = try? FileManager.default.contentsOfDirectory(
                        atPath: backups.path + "/erasures")
                    return (files ?? []).count == 2
                }
            }

            /// Site, tokens, map, surveys and media are as before.
            func expectSame(_ campus: Campus) async throws {
                let document = "/v1/sites/\(SmallSite.name)"
                try await eventually("the site is known, to the token of before") {
                    try await campus.send("GET", document, token: site.administrator).status == 200
                }
                let sound = try await campus.send(
                    "GET", "/v1/media/\(media)", token: site.administrator)
                #expect(sound.status == 200 && sound.body == BackupEndTests.sound)
                #expect(
                    try await campus.send("GET", document, token: site.revoked).status == 401)
                try await eventually("all surveys are there") {
                    // The views are made only now.
                    (try? await campus.psql(
                        "SELECT count(*) FROM fingerprint_builder.surveys")) == ["30"]
                }
                let map = try await Self.map(campus, site)
                #expect(map["fingerprints"] as? Int == 30)
                // The surveys of before are not judged, and no map is built, once more.
                #expect(map["version"] as? Int == version, "\(map)")
            }

            func expectErased(_ campus: Campus) async throws {
                try await eventually("the erasure has reached all") {
                    (try? await campus.psql(
                        "SELECT 1 FROM locator.erasures WHERE device = '\(device)'")) == ["1"]
                }
                let rows = try await campus.psql(
                    """
                    SELECT device FROM locator.positions WHERE device = '\(device)'
                    UNION ALL SELECT id FROM site_editor_names.devices
                    UNION ALL SELECT note FROM site_editor_names.tokens
                        WHERE note LIKE '%Anna%'
                    """)
                #expect(rows.isEmpty)
                for topic in ["positions", "visits", "scans"] {
                    let values = try await campus.values(of: "whereabouts.\(topic)")
                    let left = values.filter { line in
                        let object = jsonObject(Array(line.utf8))
                        // The erasure itself names the device, and nothing else does.
                        return object["device"] as? String == device && object.count > 4
                    }
                    #expect(left.isEmpty, "\(topic)")
                }
            }
        }

        /// A device that sends scan after scan and notes what was accepted, and when.
        private final class Load: Sendable {
            struct Accepted: Sendable {
                var id: String
                var at: Date
            }

            private final class Noted: Sendable {
                let list = Mutex<[Accepted]>([])
            }

            private let noted: Noted
            private let task: Task<Void, Never>
            var accepted: [Accepted] { noted.list.withLock(\.self) }

            init(_ site: SmallSite) {
                let noted = Noted()
                self.noted = noted
                task = Task {
                    while !Task.isCancelled {
                        let id = UUID().uuidString.lowercased()
                        let answer = try? await site.campus.send(
                            "POST", "/v1/scans", token: site.device,
                            body: jsonText(SmallSite.scan(["id": id])))
                        guard answer?.status == 202 else { continue }
                        noted.list.withLock { $0.append(Accepted(id: id, at: Date())) }
                    }
                }
            }

            func until(_ count: Int) async throws {
                try await eventually("\(count) scans are accepted") { accepted.count >= count }
            }

            func stop() async {
                task.cancel()
                await task.value
            }
        }
    }
}
