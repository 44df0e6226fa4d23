import Foundation
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    @Suite("Personal data") struct PrivacyEndTests {
        private func devices(_ site: SmallSite) async throws -> Set<String> {
            let answer = try await site.campus.send(
                "GET", "/v1/positions/latest?site=\(SmallSite.name)", token: site.administrator)
            let list = answer.json["positions"] as? [[String: Any]] ?? []
            return Set(list.compactMap { $0["device"] as? String })
        }

        @Test("An overheard telephone is a pseudonym everywhere, and its address is nowhere")
        func overheard() async throws {
            let site = try await SmallSite()
            let (address, hotspot) = ("7c2f80aabbcc", "Anna's iPhone")
            let body = jsonText([
                "device": "7C-2F-80-AA-BB-CC", "site": SmallSite.name,
                "heardBy": [["scanner": "node-7", "rssi": -70]],
            ])
            func send(_ path: String, _ body: [UInt8]) async throws -> Answer {
                try await site.campus.send("POST", path, token: site.administrator, body: body)
            }
            try await eventually("the day's key is there") {
                try await send("/v1/scans", body).status == 202
            }
            var rules = SmallSite.document
            rules["accessPoints"] = ["allow": [["ssid": "eduroam"]]]
            let put = try await site.campus.send(
                "PUT", "/v1/sites/\(SmallSite.name)", token: site.administrator,
                body: jsonText(rules))
            try #require(put.status < 300, "\(put.text)")
            let heard = SmallSite.scan([
                "wifi": [
                    ["bssid": "00:62:ec:fd:ec:00", "ssid": "eduroam", "rssi": -40],
                    ["bssid": "7c:2f:80:aa:bb:cd", "ssid": hotspot, "rssi": -40],
                ],
                "ble": [["address": "7c:2f:80:aa:bb:ce", "rssi": -60]],
            ])
            try await eventually("the rules are known") {
                #expect(try await send("/v1/scans", jsonText(heard)).status == 202)
                return try await site.campus.values(of: "whereabouts.scans").last?
                    .contains(hotspot) == false
            }
            try await eventually("all is located") {
                try await devices(site).contains { $0.hasPrefix("anon-") }
            }
            let all = try await site.campus.psql(
                """
                SELECT key || ' ' || coalesce(value, '') FROM log."whereabouts.scans"
                UNION ALL SELECT key || ' ' || coalesce(value, '') FROM log."whereabouts.positions"
                UNION ALL SELECT key FROM log."whereabouts.locator-state"
                UNION ALL SELECT device FROM locator.positions
                """
            ).joined(separator: "\n").lowercased()
            #expect(!all.isEmpty && !all.contains(address) && !all.contains("aa-bb-cc"))
            #expect(!site.campus.messages.lowercased().contains("aa-bb-cc"))
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("Topics, tables and cookies are on the list of personal data, or known to hold none")
        func list() async throws {
            let site = try await SmallSite.shared.value
            let page = try await ProgramRun.of(
                site.campus.program + ["describe", "personal-data"],
                environment: site.campus.environment
            ).successful().lines
            let listed = Set(
                page.compactMap { line in
                    line.firstMatch(of: /^\| (?:topic|table) `([^`]+)`/).map { String($0.1) }
                })
            let topics = try await site.campus.psql("SELECT name FROM log.topics")
                .map { String($0.dropFirst("whereabouts.".count)) }
            #expect(Set(topics).subtracting(listed) == Self.topicsWithout)
            func relations(_ kinds: String) async throws -> [String] {
                try await site.campus.psql(
                    """
                    SELECT relnamespace::regnamespace || '.' || relname FROM pg_class
                    WHERE relkind IN (\(kinds)) AND NOT relispartition
                        AND relnamespace::regnamespace::text
                            NOT IN ('pg_catalog', 'information_schema', 'public', 'log')
                    """)
            }
            // Tables of days and those that views keep about themselves.
            let tables = try await relations("'r', 'p'").filter {
                $0.firstMatch(of: /positions_\d|\.view_|_shadow\./) == nil
            }
            #expect(Set(tables).subtracting(listed) == Self.tablesWithout)
            let views = try await relations("'v'")
            #expect(listed.subtracting(tables + views + topics).isEmpty)
            let cookies = Set(
                page.compactMap { line in
                    line.firstMatch(of: /^\| cookie `([^`]+)`/).map { String($0.1) }
                })
            #expect(try Self.cookiesOfSources() == cookies)
        }

        /// The names of cookies in the sources of the services: texts that begin as all of ours do,
        /// in the files that set cookies.
        private static func cookiesOfSources() throws -> Set<String> {
            let root = repository.appending(path: "Services")
            let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
            var names: Set<String> = []
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                guard text.contains("Cookie") else { continue }
                for match in text.matches(of: /Cookie\w* = "([^"]+)"|cookieName = "([^"]+)"/) {
                    names.insert(String(match.1 ?? match.2 ?? ""))
                }
            }
            return names
        }

        private static let topicsWithout: Set = [
            "site", "site-documents", "radio-maps", "availability", "beacon-batteries",
        ]
        private static let tablesWithout: Set<String> = [
            "fingerprint_builder.judged", "fingerprint_builder.judged_surveys",
            "fingerprint_builder.sites", "fingerprint_builder.withdrawn_surveys",
            "locator.position_days", "locator.position_kinds", "locator.position_names",
            "locator.position_places", "locator.position_rooms", "locator.position_sites",
            "locator.retention", "locator.room_hour_counts", "locator_counts.closed",
            "locator_counts.progress", "magnetic_routes.outbox", "magnetic_routes.outbox_mark",
            "node_hearings.hours",
            "radio_maps.access_point_notes", "radio_maps.choices",
            "radio_maps.disagreeing_places", "radio_maps.discarded_surveys",
            "radio_maps.tap_findings", "radio_maps.positioner_comparisons",
            "radio_maps.judged", "radio_maps.node_calibrations", "radio_maps.node_places",
            "radio_maps.outbox_mark",
            "radio_maps.expected_errors", "radio_maps.part_notes",
            "radio_maps.parts",
            "radio_maps.quality", "radio_maps.quality_places", "radio_maps.radio_maps",
            "radio_maps.judged_surveys", "radio_maps.removed_surveys", "radio_maps.survey_advice",
            // Nothing counts smoothed positions, nor keeps the newest of each device.
            "smoothed.latest_positions", "smoothed.position_days", "smoothed.position_kinds",
            "smoothed.position_names", "smoothed.position_places", "smoothed.position_rooms",
            "smoothed.position_sites", "smoothed.retention", "smoothed.room_hour_counts",
            "smoothed.room_hour_devices",
            "site_editor.buildings", "site_editor.connections",
            "site_editor.drafts", "site_editor.floors", "site_editor.imports",
            "site_editor.locations", "site_editor.media", "site_editor.media_owners",
            "site_editor.media_pieces", "site_editor.media_uses", "site_editor.outbox_mark",
            "site_editor.pairing_codes", "site_editor.rooms", "site_editor.scanners",
            "site_editor.session_keys", "site_editor.site_media",
            "site_editor.sites", "site_editor.test_versions", "site_editor_names.rewritten",
            "surveyed_places.places", "surveyed_places.surveys", "timetables.booking_rooms",
            "timetables.counts", "timetables.hosts", "timetables.outbox_mark", "visits.retention",
        ]

        /// The number of rows that a device's report names for a table.
        private static func rows(_ report: Answer, _ table: String) -> Int? {
            let services = report.json["services"] as? [[String: Any]] ?? []
            return services.flatMap { $0["kept"] as? [[String: Any]] ?? [] }
                .first { $0["place"] as? String == "table `\(table)`" }?["rows"] as? Int
        }

        /// The files under a folder that hold the bytes of a text.
        private static func filesWith(_ text: String, in folder: String) throws -> [String] {
            let files = FileManager.default.enumerator(atPath: folder)
            var found: [String] = []
            while let name = files?.nextObject() as? String {
                // A file may go while this looks.
                let path = folder + "/" + name
                let bytes = try? Data(
                    contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
                if bytes?.range(of: Data(text.utf8)) != nil { found.append(name) }
            }
            return found
        }

        @Test("An erased device is gone from views, log and exports, and others are not")
        func erased() async throws {
            let site = try await SmallSite()
            func send(
                _ method: String, _ path: String, _ token: String, _ body: [String: Any]? = nil
            ) async throws -> Answer {
                try await site.campus.send(
                    method, path, token: token, body: body.map { jsonText($0) } ?? [])
            }
            let base = "/v1/sites/\(SmallSite.name)"
            // Other tests use the same server, so the name must be this one's alone.
            let name = "Anna's telephone \(UUID().uuidString)"
            let enrolled = try await send(
                "POST", base + "/devices", site.administrator, ["name": name])
            try #require(enrolled.status == 201, "\(enrolled.text)")
            let id = try #require(enrolled.json["id"] as? String)
            let issued = try await send(
                "POST", "/v1/tokens", site.administrator,
                [
                    "role": "device", "site": SmallSite.name, "device": id,
                    "note": name,
                ])
            let token = try #require(issued.json["token"] as? String, "\(issued.text)")
            try await eventually("both are located") {
                _ = try await send(
                    "POST", "/v1/scans", token, SmallSite.scan(["device": id, "scanner": id]))
                _ = try await send("POST", "/v1/scans", site.device, SmallSite.scan())
                return try await devices(site).isSuperset(of: [id, "pi-1"])
            }
            let report = base + "/devices/\(id)/report"
            #expect(try await send("GET", report, site.visitor).status == 404)
            let before = try await send("GET", report, token)
            #expect(before.json["complete"] as? Bool == true, "\(before.text)")
            #expect(Self.rows(before, "locator.positions") ?? 0 > 0, "\(before.text)")
            #expect(Self.rows(before, "site_editor_names.devices") == 1)
            #expect(try await send("DELETE", base + "/devices/\(id)", site.visitor).status == 404)
            let erasure = try await send("DELETE", base + "/devices/\(id)", token)
            try #require(erasure.status == 202, "\(erasure.text)")
            let address = try #require(erasure.headers["location"])
            try await eventually("every service is done", seconds: 60) {
                try await send("GET", address, site.administrator).json["done"] as? Bool == true
            }
            #expect(try await send("GET", base, token).status == 401)
            let after = try await send("GET", report, site.administrator)
            #expect(after.json["complete"] as? Bool == true, "\(after.text)")
            for place in ["locator.positions", "visits.visits", "site_editor_names.devices"] {
                #expect(Self.rows(after, place) == 0, "\(after.text)")
            }
            #expect(try await devices(site) == ["pi-1"])
            for path in ["/v1/positions", "/v1/visits"] {
                let answer = try await send(
                    "GET", path + "?site=\(SmallSite.name)&device=\(id)", site.administrator)
                #expect(answer.status == 200 && !answer.text.contains(id), "\(answer.text)")
            }
            let left = try await site.campus.psql(
                """
                SELECT value FROM log."whereabouts.scans" WHERE key = 'small/\(id)'
                UNION ALL SELECT value FROM log."whereabouts.positions" WHERE key = 'small/\(id)'
                """)
            // The erasure itself is left in each.
            #expect(left.count == 2 && left.allSatisfy { !$0.contains("wifi") })
            #expect(left.allSatisfy { !$0.contains("latitude") })
            let names = try await site.campus.psql(
                """
                SELECT name FROM site_editor_names.devices
                UNION ALL SELECT note FROM site_editor_names.tokens
                UNION ALL SELECT device FROM site_editor_names.tokens
                UNION ALL SELECT encode(event, 'escape') FROM site_editor_names.tokens
                """)
            #expect(!names.contains { $0.contains("Anna") || $0.contains(id) }, "\(names)")
            let folder = try await site.campus.psql("SHOW data_directory").joined()
            // These checkpoints rename files of the write-ahead log with the name for later use.
            for _ in 0..<3 { _ = try await site.campus.psql("SELECT pg_switch_wal(); CHECKPOINT") }
            #expect(try Self.filesWith(name, in: folder).count > 0)
            let rewritten = try await site.campus.whereabouts("erase", "--rewrite")
            #expect(rewritten.summary["rewritten"] as? Bool == true)
            #expect(rewritten.summary["writeAheadLogKept"] as? Bool == false)
            let leftFiles = try Self.filesWith(name, in: folder)
            #expect(leftFiles == [])
            let file = NSTemporaryDirectory() + "export-\(UUID().uuidString).jsonl.gz"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let export = try await site.campus.whereabouts(
                "export", "scans", "--since", "2026-01-01T00:00:00Z", "--output", file)
            #expect(export.summary["unreadable"] as? Int == 0)
            #expect(export.summary["scans"] as? Int ?? 0 > 0)
            #expect(site.campus.stop() == ["whereabouts": 0])
        }
    }
}
