import Archive
import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// Ten devices walk for an hour, and one is erased. Nothing gives anything of it any more.
    @Suite("An erasure after an hour", .timeLimit(.minutes(20))) struct ErasureWalkTests {
        private static let devices = 10
        private static let secondsBetween = 10
        private static let hour = 3_600
        /// The key and the address that it made are those of the Bluetooth specification.
        private static let identityKey = "ec0234a357c8ad05341010a60a397d9b"
        private static let changingAddress = "7081940dfbaa"

        /// Who is erased: a name with the address that is printed on the telephone.
        private struct Person {
            let name = "Anna Example \(UUID().uuidString)"
            let address: String
            var texts: [String] { [name, address] }

            init() {
                let digits = UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(12)
                address = stride(from: 0, to: 12, by: 2).map { start in
                    String(digits.dropFirst(start).prefix(2))
                }.joined(separator: ":")
            }
        }

        @Test("On PostgreSQL's log") func onPostgres() async throws { try await walk(nil) }

        @Test("On Kafka's log", .enabled(if: RealKafka.isInstalled))
        func onKafka() async throws {
            let kafka = try #require(RealKafka.start(), "the broker did not start")
            defer { kafka.stop() }
            try await walk(kafka)
        }

        private func walk(_ kafka: RealKafka?) async throws {
            let backups = try makeTemporaryFolder("backups")
            AtExit.remove(backups.path)
            let settings = [
                "WHEREABOUTS_BACKUPS": backups.path, "WHEREABOUTS_MAP_QUIET": "100ms",
                "WHEREABOUTS_VISIT_DWELL": "0s", "WHEREABOUTS_SMOOTHING": "on",
            ]
            var document = SmallSite.document
            // All scans received it.
            document["beacons"] = [
                [
                    "id": "hall-1", "floor": "ground", "x": 5.0, "y": 4.0,
                    "uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": 80, "minor": 3,
                    "group": "hall",
                ] as [String: Any]
            ]
            let site = try await SmallSite(settings: settings, kafka: kafka, document: document)
            let person = Person()
            let ids = try await enrol(person, site)
            let erased = ids[0]
            try await send(ids, site)
            let file = NSTemporaryDirectory() + "walk-\(UUID().uuidString).jsonl.gz"
            defer { try? FileManager.default.removeItem(atPath: file) }
            #expect(try await export(site, file).contains(erased))
            let made = try await site.campus.whereabouts("backup", "make").summary
            let backup = try #require(made["name"] as? String)
            let folders = Folders(site, kafka, backups)
            // The test finds the bytes where they are. Then it looks for them where they were.
            let data = try await folders.database()
            for text in person.texts {
                #expect(try Self.filesWith(text, in: data).count > 0, "\(text)")
                #expect(try Self.filesWith(text, in: backups.path).count > 0, "\(text)")
            }
            try await erase(erased, site)
            try await expectNothing(of: erased, others: ids.dropFirst(), site)
            try await replay(file, erased, site)
            try await relocate(erased, site)
            for view in ["positions", "smoothed", "visits", "surveys"] {
                _ = try await site.campus.whereabouts("rebuild", view)
            }
            try await expectNothing(of: erased, others: ids.dropFirst(), site)
            try await expectLog(erased, site)

            let rewritten = try await site.campus.whereabouts("erase", "--rewrite")
            #expect(rewritten.summary["writeAheadLogKept"] as? Bool == false)
            let former = try makeTemporaryFolder("former").appending(path: backup)
            try FileManager.default.moveItem(at: backups.appending(path: backup), to: former)
            _ = try await site.campus.whereabouts("backup", "make")
            for text in person.texts + [Self.identityKey] {
                #expect(try Self.filesWith(text, in: data) == [], "\(text)")
                for folder in folders.others {
                    #expect(try Self.filesWith(text, in: folder) == [], "\(text) in \(folder)")
                }
                #expect(try await !site.campus.recordsHold(text), "\(text)")
            }
            for folder in [data] + folders.others {
                #expect(try Self.filesWith(Self.changingAddress, in: folder) == [])
            }
            #expect(site.campus.stop() == ["whereabouts": 0])

            // The former backup still has the device; its restore leaves it out.
            try FileManager.default.moveItem(at: former, to: backups.appending(path: backup))
            try await restore(backup, erased, settings)
        }

        // MARK: Before

        private func enrol(_ person: Person, _ site: SmallSite) async throws -> [String] {
            var ids: [String] = []
            for number in 0..<Self.devices {
                var body = ["name": "telephone \(number)"]
                if number == 0 {
                    body = [
                        "name": "\(person.name) \(person.address)", "identityKey": Self.identityKey,
                    ]
                }
                let answer = try await site.campus.send(
                    "POST", "/v1/sites/\(SmallSite.name)/devices", token: site.administrator,
                    body: jsonText(body))
                ids.append(try #require(answer.json["id"] as? String, "\(answer.text)"))
            }
            let issued = try await site.campus.send(
                "POST", "/v1/tokens", token: site.administrator,
                body: jsonText([
                    "role": "device", "site": SmallSite.name, "device": ids[0],
                    "note": "\(person.name) \(person.address)",
                ]))
            #expect(issued.status < 300, "\(issued.text)")
            return ids
        }

        /// An hour of walking between both rooms, sent faster than it was walked; some surveys; and
        /// the erased telephone as others heard it, under an address that changes.
        private func send(_ ids: [String], _ site: SmallSite) async throws {
            let now = Date()
            func time(_ second: Int) -> String {
                now.addingTimeInterval(Double(second - Self.hour)).formatted(.iso8601)
            }
            var scans: [[String: Any]] = []
            for second in stride(from: 0, to: Self.hour, by: Self.secondsBetween) {
                for (number, id) in ids.enumerated() {
                    let isInA = (second / 300 + number) % 2 == 0
                    scans.append(
                        SmallSite.scan([
                            "id": UUID().uuidString.lowercased(), "device": id, "scanner": id,
                            "at": time(second),
                            "gnss": [
                                "latitude": 51.50002, "longitude": isInA ? -0.09993 : -0.09979,
                                "accuracyMetres": 5.0,
                            ],
                        ]))
                }
            }
            for start in stride(from: 0, to: scans.count, by: 500) {
                let piece = scans[start..<min(start + 500, scans.count)]
                try await send("/v1/scans", Array(piece), site)
            }
            let surveys = (0..<6).map { number in
                SmallSite.scan([
                    "id": UUID().uuidString.lowercased(), "device": ids[number / 3],
                    "scanner": ids[number / 3], "at": time(number),
                    "place": ["floor": "ground", "x": Double(number), "y": 2.0] as [String: Any],
                ])
            }
            try await send("/v1/surveys", surveys, site)
            try await eventually("the telephone's changing address is known") {
                let heard: [String: Any] = [
                    "device": Self.changingAddress, "site": SmallSite.name,
                    "at": time(Self.hour), "heardBy": [["scanner": "node-7", "rssi": -70]],
                ]
                try await send("/v1/scans", [heard], site)
                return try await !site.campus.psql(
                    """
                    SELECT 1 FROM locator.positions
                    WHERE device = '\(ids[0])' AND at >= '\(time(Self.hour))'
                    """
                ).isEmpty
            }
            let each = Self.hour / Self.secondsBetween
            try await eventually("all is located", seconds: 600) {
                let counts = try await site.campus.psql(
                    "SELECT count(*) FROM locator.positions WHERE device LIKE 'd-%' GROUP BY device"
                )
                return counts.count == ids.count && counts.allSatisfy { Int($0) ?? 0 >= each }
            }
            try await eventually("all is smoothed, and the beacon's group was entered") {
                try await site.campus.psql(
                    """
                    SELECT (SELECT count(*) FROM smoothed.positions WHERE device = '\(ids[0])')
                            >= \(each)
                        AND EXISTS (SELECT FROM visits.group_visits WHERE device = '\(ids[0])')
                    """) == ["t"]
            }
            try await eventually("the map has the surveys") {
                try await site.campus.psql("SELECT count(*) FROM fingerprint_builder.surveys")
                    == ["6"]
            }
        }

        private func send(
            _ path: String, _ scans: [[String: Any]], _ site: SmallSite
        ) async throws {
            let body = scans.map { String(decoding: jsonText($0), as: UTF8.self) }
                .joined(separator: "\n")
            let answer = try await site.campus.send(
                "POST", path, token: site.administrator, body: Array(body.utf8))
            try #require(answer.status == 202, "\(answer.text.prefix(500))")
            try #require(
                (answer.json["rejected"] as? [Any] ?? []).isEmpty, "\(answer.text.prefix(500))")
        }

        /// The scans that an export gives.
        private func export(_ site: SmallSite, _ file: String) async throws -> String {
            _ = try await site.campus.whereabouts(
                "export", "scans", "--since", "2026-01-01T00:00:00Z", "--output", file)
            return try await ProgramRun.of(["gzip", "-dc", file]).successful().output
        }

        // MARK: After

        private func erase(_ id: String, _ site: SmallSite) async throws {
            let asked = try await site.campus.send(
                "DELETE", "/v1/sites/\(SmallSite.name)/devices/\(id)", token: site.administrator)
            try #require(asked.status == 202, "\(asked.text)")
            let address = try #require(asked.headers["location"])
            try await eventually("every service is done", seconds: 120) {
                let answer = try await site.campus.send(
                    "GET", address, token: site.administrator)
                let services = answer.json["services"] as? [[String: Any]] ?? []
                #expect(services.contains { $0["service"] as? String == "backups" })
                // A random id says nothing, so nobody needs to know how long the log has it.
                #expect(answer.json["onLogUntil"] == nil)
                return answer.json["done"] as? Bool == true
            }
        }

        /// No path and no export gives anything of the device, and all of the others.
        private func expectNothing(
            of id: String, others: some Collection<String>, _ site: SmallSite
        ) async throws {
            let query = "site=\(SmallSite.name)"
            let lastMinutes = Date(timeIntervalSinceNow: -590).formatted(.iso8601)
            for path in [
                "/v1/positions/latest?\(query)", "/v1/positions?\(query)&device=\(id)",
                "/v1/visits?\(query)", "/v1/visits?\(query)&device=\(id)",
                "/v1/group-visits?\(query)", "/v1/positions-smoothed?\(query)&device=\(id)",
                "/v1/sites/\(SmallSite.name)/replay?from=\(lastMinutes)&seconds=600",
                "/v1/sites/\(SmallSite.name)/devices", "/v1/sites/\(SmallSite.name)/surveys",
            ] {
                let answer = try await site.campus.send("GET", path, token: site.administrator)
                #expect(answer.status == 200 && !answer.text.contains(id), "\(path)")
            }
            let report = try await site.campus.send(
                "GET", "/v1/sites/\(SmallSite.name)/devices/\(id)/report",
                token: site.administrator)
            let rows = (report.json["services"] as? [[String: Any]] ?? []).flatMap { service in
                (service["kept"] as? [[String: Any]] ?? []).compactMap { kept -> Int? in
                    let isProof = (kept["place"] as? String)?.contains("erasures") == true
                    return isProof ? nil : kept["rows"] as? Int
                }
            }
            #expect(rows.count > 5 && rows.allSatisfy { $0 == 0 }, "\(report.text)")
            let file = NSTemporaryDirectory() + "after-\(UUID().uuidString).jsonl.gz"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let exported = try await export(site, file)
            #expect(!exported.contains(id) && others.allSatisfy { exported.contains($0) })
            let stored = try await site.campus.psql(
                """
                SELECT count(*) FROM locator.positions WHERE device = '\(id)'
                UNION ALL SELECT count(*) FROM smoothed.positions WHERE device = '\(id)'
                UNION ALL SELECT count(*) FROM visits.visits WHERE device = '\(id)'
                UNION ALL SELECT count(*) FROM visits.group_visits WHERE device = '\(id)'
                UNION ALL SELECT count(*) FROM fingerprint_builder.surveys WHERE device = '\(id)'
                """)
            #expect(stored == ["0", "0", "0", "0", "0"])
        }

        /// Who kept a file of before can't bring the device back with it.
        private func replay(_ file: String, _ id: String, _ site: SmallSite) async throws {
            let few = NSTemporaryDirectory() + "few-\(UUID().uuidString).jsonl"
            defer { try? FileManager.default.removeItem(atPath: few) }
            let lines = try await ProgramRun.of(["gzip", "-dc", file]).successful().lines
            let own = lines.filter { $0.contains(id) }.prefix(20)
            let other = lines.filter { !$0.contains(id) }.prefix(20)
            try Data((own + other).joined(separator: "\n").utf8).write(
                to: URL(filePath: few))
            let run = try await site.campus.whereabouts(
                "replay", few, "--rate", "1000", token: site.administrator)
            #expect(run.summary["scansAccepted"] as? Int == other.count, "\(run.output)")
            #expect(run.summary["scansRefused"] as? Int == own.count)
        }

        private func relocate(_ id: String, _ site: SmallSite) async throws {
            let file = NSTemporaryDirectory() + "relocated-\(UUID().uuidString).jsonl"
            defer { try? FileManager.default.removeItem(atPath: file) }
            _ = try await site.campus.whereabouts(
                "relocate", "--since", "2026-01-01T00:00:00Z", "--positioner", "knn", "--out", file,
                token: site.administrator)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!text.isEmpty && !text.contains(id))
        }

        /// On PostgreSQL only erasures are left on the log. Kafka has the records under their random
        /// id until their retention.
        private func expectLog(_ id: String, _ site: SmallSite) async throws {
            guard site.campus.log == .postgres else { return }
            for topic in [
                "scans", "positions", "positions-smoothed", "visits", "survey-records",
                "dead-letters",
            ] {
                let left = try await site.campus.values(of: "whereabouts.\(topic)").filter {
                    $0.contains(id) && jsonObject(Array($0.utf8)).count > 4
                }
                #expect(left.isEmpty, "\(topic): \(left.first ?? "")")
            }
        }

        private func restore(
            _ backup: String, _ id: String, _ settings: [String: String]
        ) async throws {
            let campus = try await Campus(
                .postgres, .together, settings: settings,
                before: { environment in
                    let restored = try await ProgramRun.of(
                        Programs.command("whereabouts") + ["backup", "restore", backup],
                        environment: environment
                    ).successful().summary
                    #expect(restored["ofErasedDevices"] as? Int ?? 0 > 0)
                })
            try await eventually("the erasure has reached all", seconds: 60) {
                (try? await campus.psql(
                    """
                    SELECT 1 FROM visits.erasures JOIN locator.erasures USING (id, device)
                    WHERE device = '\(id)'
                    """)) == ["1"]
            }
            let rows = try await campus.psql(
                """
                SELECT device FROM locator.positions WHERE device = '\(id)'
                UNION ALL SELECT device FROM visits.visits WHERE device = '\(id)'
                UNION ALL SELECT device FROM fingerprint_builder.surveys WHERE device = '\(id)'
                UNION ALL SELECT id FROM site_editor_names.devices WHERE id = '\(id)'
                """)
            #expect(rows.isEmpty)
            for topic in ["scans", "positions", "visits", "survey-records"] {
                let left = try await campus.values(of: "whereabouts.\(topic)").filter {
                    $0.contains(id) && jsonObject(Array($0.utf8)).count > 4
                }
                #expect(left.isEmpty, "\(topic)")
            }
            #expect(campus.stop() == ["whereabouts": 0])
        }

        // MARK: Files

        /// Where bytes may lie.
        private struct Folders {
            let site: SmallSite
            /// Kafka's files, the backups, and the logs of our processes.
            let others: [String]

            init(_ site: SmallSite, _ kafka: RealKafka?, _ backups: URL) {
                self.site = site
                others =
                    [backups.path, site.campus.folder.path]
                    + [kafka?.dataFolder].compactMap(\.self)
            }

            func database() async throws -> String {
                try await site.campus.psql("SHOW data_directory").joined()
            }
        }

        /// The files under a folder that hold the bytes of a text, in whatever case. Packed files are
        /// unpacked.
        private static func filesWith(_ text: String, in folder: String) throws -> [String] {
            let files = FileManager.default.enumerator(atPath: folder)
            var found: [String] = []
            while let name = files?.nextObject() as? String {
                // A file may go while this looks.
                let url = URL(fileURLWithPath: folder + "/" + name)
                guard var bytes = try? Data(contentsOf: url, options: .mappedIfSafe) else {
                    continue
                }
                let zstandard = Data([0x28, 0xb5, 0x2f, 0xfd])
                if bytes.starts(with: zstandard) {
                    bytes = Data(try Zstandard.unpack(Array(bytes), limit: 1 << 30))
                }
                if bytes.range(of: Data(text.utf8)) != nil { found.append(name) }
            }
            return found
        }
    }
}
