import Foundation
import TestSupport
import Testing

extension IntegrationTests {
    /// The readings of surveys over HTTP and in a file, one by one and with their places.
    @Suite("Reading measurements", .serialized) struct MeasurementEndTests {
        private static let path = "/v1/sites/\(SmallSite.name)"

        @Test("All measurements, one of them, and those of one access point have their place")
        func measurements() async throws {
            let site = try await SmallSite(settings: ["WHEREABOUTS_MAP_QUIET": "100ms"])
            let surveys = try await Self.send(3, to: site)
            let all = try await Self.all(site, "")
            // 25 readings of Wi-Fi and a beacon each.
            #expect(all.count == 3 * 26)
            #expect(Set(all.compactMap { $0["survey"] as? String }) == Set(surveys))
            #expect(Set(all.compactMap { $0["id"] as? String }).count == all.count)
            #expect(
                all.allSatisfy { ($0["place"] as? [String: Any])?["location"] as? String == "a-1" })
            let one = try #require(all[30]["id"] as? String)
            let read = try await Self.get(site, "/measurements/\(one)")
            #expect(read.status == 200)
            #expect(read.json as NSDictionary == all[30] as NSDictionary)
            let address = "wifi/00:62:ec:fd:ec:03"
            let heard = try await Self.all(site, "&accessPoint=\(address)")
            #expect(heard.count == 3)
            #expect(heard.allSatisfy { $0["accessPoint"] as? String == address })
            #expect(heard.allSatisfy { $0["rssi"] as? Int == -43 })
            for (wrong, code) in [
                ("/measurements/\(surveys[0]).26", "measurement-unknown"),
                ("/measurements/x", "measurement-unknown"),
                ("/measurements?after=x", "cursor-malformed"),
                ("/access-points/00:00:00:00:00:00", "access-point-unknown"),
            ] {
                #expect(try await Self.get(site, wrong).code == code, "\(wrong)")
            }
            for id in ["00:62:ec:fd:ec:03", "wifi.00:62:ec:fd:ec:03"] {
                let point = try await Self.get(site, "/access-points/\(id)")
                #expect(point.status == 200 && point.json["id"] as? String == address)
                #expect(point.json["measurements"] as? Int == 3)
            }
            try await Self.hidesStrangers(site)
            try await Self.exports(site, surveys)
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        @Test("A list of connections is that of one location where the query names it")
        func connections() async throws {
            let site = try await SmallSite()
            var document = SmallSite.document
            document["locations"] = [("a-1", 5.0), ("a-2", 7.0), ("a-3", 9.0)].map { id, x in
                ["id": id, "floor": "ground", "room": "a", "x": x, "y": 4.0] as [String: Any]
            }
            let put = try await site.campus.send(
                "PUT", Self.path, token: site.administrator, body: jsonText(document),
                headers: [("if-match", "*")])
            try #require(put.status == 200, "\(put.text)")
            for other in ["a-2", "a-3"] {
                let linked = try await site.campus.send(
                    "POST", "\(Self.path)/locations/a-1/link/\(other)", token: site.administrator,
                    headers: [("if-match", "*")])
                try #require(linked.status == 200, "\(linked.text)")
            }
            for (location, count) in [("a-1", 2), ("a-2", 1), ("a-3", 1), ("a-4", 0)] {
                let found = try await Self.get(
                    site, "/connections?location=\(location)&version=draft")
                let connections = found.json["connections"] as? [[String: Any]] ?? []
                #expect(connections.count == count, "\(location)")
                #expect(connections.allSatisfy { $0["kind"] as? String == "walk" })
            }
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        /// An access point that was heard at one place on one day may be a visitor's own: who only
        /// reads the map's figures sees neither it nor its readings. A beacon was put up.
        private static func hidesStrangers(_ site: SmallSite) async throws {
            let analyst =
                try await ProgramRun.of(
                    site.campus.program + [
                        "token", "create", "--plain", "--role", "analyst", "--site", SmallSite.name,
                    ], environment: site.campus.environment
                ).successful().lines.last ?? ""
            func send(_ path: String) async throws -> Answer {
                try await site.campus.send("GET", Self.path + path, token: analyst)
            }
            try await eventually("the token is known") {
                try await send("/measurements").status == 200
            }
            let all = try await all(site, "", token: analyst)
            #expect(all.count == 3)
            #expect(
                all.allSatisfy { ($0["accessPoint"] as? String)?.hasPrefix("beacon/") == true })
            let beacon = try #require(all.first?["id"] as? String)
            #expect(try await send("/measurements/\(beacon)").status == 200)
            let hidden = beacon.replacing(".25", with: ".0")
            #expect(try await send("/measurements/\(hidden)").status == 404)
            #expect(try await send("/access-points/00:62:ec:fd:ec:03").status == 404)
        }

        /// Surveys as a file, which can be sent again; withdrawn ones are left out.
        private static func exports(_ site: SmallSite, _ surveys: [String]) async throws {
            func exported() async throws -> [[String: Any]] {
                let file = site.campus.folder.appending(path: "surveys.jsonl").path
                _ = try await site.campus.whereabouts(
                    "export", "surveys", "--site", SmallSite.name, "--output", file)
                return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                    .map { jsonObject(Array($0.utf8)) }
            }
            let missing = try await ProgramRun.of(
                site.campus.program + [
                    "export", "surveys", "--site", "nosuch", "--output",
                    site.campus.folder.appending(path: "none.jsonl").path,
                ], environment: site.campus.environment)
            #expect(missing.status == 1 && missing.errors.contains("no survey of a site nosuch"))
            let lines = try await exported()
            #expect(lines.compactMap { $0["id"] as? String }.sorted() == surveys.sorted())
            #expect(lines.allSatisfy { ($0["wifi"] as? [Any])?.count == 25 })
            #expect(
                lines.allSatisfy {
                    ($0["place"] as? [String: Any])?["location"] as? String == "a-1"
                })
            let again = try await site.campus.send(
                "POST", "/v1/surveys", token: site.administrator, body: jsonText(lines[0]))
            #expect(again.status == 202, "\(again.text)")
            let withdrawn = try await site.campus.send(
                "DELETE", "\(path)/surveys/\(surveys[1])", token: site.administrator)
            try #require(withdrawn.status == 202)
            try await eventually("the withdrawn survey is in no export") {
                let ids = try await exported().compactMap { $0["id"] as? String }
                return ids.sorted() == [surveys[0], surveys[2]].sorted()
            }
        }

        private static func send(_ count: Int, to site: SmallSite) async throws -> [String] {
            var ids: [String] = []
            for _ in 0..<count {
                let id = UUID().uuidString.lowercased()
                let at = Date().formatted(.iso8601)
                let survey = SmallSite.scan([
                    "id": id, "at": at, "sentAt": at, "place": ["location": "a-1"],
                ])
                let sent = try await site.campus.send(
                    "POST", "/v1/surveys", token: site.administrator, body: jsonText(survey))
                try #require(sent.status == 202, "\(sent.text)")
                ids.append(id)
            }
            try await eventually("all surveys are in the tables") {
                try await all(site, "").count == count * 26
            }
            return ids
        }

        /// All pages of a list, with a limit that cuts surveys in two.
        private static func all(
            _ site: SmallSite, _ filter: String, token: String? = nil
        ) async throws -> [[String: Any]] {
            var (found, after) = ([[String: Any]](), "")
            while true {
                let page = try await get(site, "/measurements?limit=7\(after)\(filter)", token)
                try #require(page.status == 200, "\(page.text)")
                found += page.json["measurements"] as? [[String: Any]] ?? []
                guard let next = page.json["next"] as? String else { return found }
                after = "&after=\(next)"
            }
        }

        private static func get(
            _ site: SmallSite, _ path: String, _ token: String? = nil
        ) async throws -> Answer {
            try await site.campus.send(
                "GET", Self.path + path, token: token ?? site.administrator)
        }
    }
}
