import Foundation
import TestSupport
import Testing

@Suite("Import of maps, published") struct MapImportEndTests {
    /// A corridor and a lift to another; the corridor's name and the lift's tags are what is varied.
    private static func map(named name: String, lift: String) -> String {
        """
        <osm version="0.6">
          <node id="1" lat="51.5" lon="-0.1"/>
          <node id="2" lat="51.5" lon="-0.0999"><tag k="highway" v="elevator"/>\(lift)</node>
          <node id="3" lat="51.5001" lon="-0.0999"/>
          <way id="7"><nd ref="1"/><nd ref="2"/><tag k="highway" v="corridor"/>
            <tag k="level" v="0"/><tag k="name" v="\(name)"/></way>
          <way id="8"><nd ref="2"/><nd ref="3"/><tag k="highway" v="corridor"/>
            <tag k="level" v="1"/></way>
        </osm>
        """
    }

    @Test("The same map again changes nothing; a newer one leaves what people edited")
    func again() async throws {
        let site = try await SmallSite.shared.value
        let folder = try makeTemporaryFolder("map")
        defer { try? FileManager.default.removeItem(at: folder) }
        let map = folder.appending(path: "map.osm")
        let base = folder.appending(path: "base.json").path
        func imported(_ further: [String]) async throws -> [String: Any] {
            let run = try await ProgramRun.of(
                Programs.command("whereabouts") + ["import", "osm", map.path]
                    + ["--site", "mapped", "--publish"]
                    + further,
                environment: site.campus.environment.merging(
                    ["WHEREABOUTS_TOKEN": site.administrator]) { $1 })
            return try run.successful().summary
        }
        func connections() async throws -> [String: [String: Any]] {
            let answer = try await site.campus.send(
                "GET", "/v1/sites/mapped", token: site.administrator)
            let list = try #require(answer.json["connections"] as? [[String: Any]])
            return list.reduce(into: [:]) { all, one in all[one["id"] as? String ?? ""] = one }
        }
        try Self.map(named: "Arcade", lift: "").write(to: map, atomically: true, encoding: .utf8)
        #expect(try await imported(["--output", base])["version"] as? Int == 1)
        let same = try await imported(["--base", base])
        #expect(same["version"] as? Int == 1)
        #expect(same["conflicts"] as? Int == 0)

        let before = try await site.campus.send(
            "GET", "/v1/sites/mapped", token: site.administrator)
        let edited = before.text.replacing("Arcade", with: "Colonnade")
        let put = try await site.campus.send(
            "PUT", "/v1/sites/mapped", token: site.administrator, body: Array(edited.utf8))
        #expect(put.json["version"] as? Int == 2, "\(put.text)")
        try Self.map(named: "Passage", lift: "<tag k=\"wheelchair\" v=\"yes\"/>").write(
            to: map, atomically: true, encoding: .utf8)
        let newer = try await imported(["--base", base])
        #expect(newer["version"] as? Int == 3)
        #expect(newer["conflicts"] as? Int == 1)
        let after = try await connections()
        #expect(after["w7"]?["name"] as? String == "Colonnade")
        #expect(after["n2"]?["accessible"] as? String == "yes")
    }

    @Test("Rooms and access points go to a table and back, and a published site to a file")
    func tables() async throws {
        let site = try await SmallSite.shared.value
        let folder = try makeTemporaryFolder("tables")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = "/v1/sites/tabled"
        let made = try await site.campus.send(
            "PUT", path, token: site.administrator, body: jsonText(SmallSite.document))
        #expect(made.status < 300, "\(made.text)")
        func run(_ arguments: [String]) async throws -> ProgramRun {
            try await ProgramRun.of(
                Programs.command("whereabouts") + arguments,
                environment: site.campus.environment.merging(
                    ["WHEREABOUTS_TOKEN": site.administrator]) { $1 })
        }
        func file(_ name: String) -> String { folder.appending(path: name).path }

        let rooms = file("rooms.csv")
        _ = try await run(["export", "rooms", "--site", "tabled", "--output", rooms]).successful()
        let same = try await run(
            ["import", "csv", rooms, "--site", "tabled", "--publish"]
        ).successful()
        #expect(same.summary["version"] as? Int == 1)
        #expect((same.summary["records"] as? [String: Any])?.isEmpty == true)
        var table = try String(contentsOfFile: rooms, encoding: .utf8)
        table +=
            "new,ground,Novel"
            + String(
                repeating: ",",
                count: (table.split(separator: "\r\n").first ?? "")
                    .count(where: { $0 == "," }) - 2)
        try table.write(toFile: rooms, atomically: true, encoding: .utf8)
        let more = try await run(
            ["import", "csv", rooms, "--site", "tabled", "--publish"]
        ).successful()
        #expect(more.summary["version"] as? Int == 2, "\(more.output)")

        let points = file("points.csv")
        try "bssid,floor,x,y\n00:62:ec:fd:ec:50,ground,1,2\n".write(
            toFile: points, atomically: true, encoding: .utf8)
        let placed = try await run(
            ["import", "csv", points, "--site", "tabled", "--publish"]
        ).successful()
        #expect(placed.summary["table"] as? String == "access-points")
        #expect(placed.summary["version"] as? Int == 3)
        try "bssid,floor,x,y\n00:62:ec:fd:ec:51,attic,1,2\n".write(
            toFile: points, atomically: true, encoding: .utf8)
        let refused = try await run(["import", "csv", points, "--site", "tabled"])
        #expect(refused.status == 1 && refused.errors.contains("line 2"), "\(refused.errors)")

        let document = file("site.json")
        _ = try await run(["export", "site", "--site", "tabled", "--output", document])
            .successful()
        let now = try await site.campus.send("GET", path, token: site.administrator)
        #expect(try Data(contentsOf: URL(filePath: document)) == Data(now.body))
        #expect(now.text.contains("Novel") && now.text.contains("00:62:ec:fd:ec:50"))
        for format in ["imdf", "geojson"] {
            let output = file(format)
            _ = try await run(["export", format, "--site", "tabled", "--output", output])
                .successful()
            let copy = "tabled-\(format)"
            let back = try await run(["import", format, output, "--site", copy]).successful()
            #expect(back.summary["version"] as? Int == 1)
            let copied = try await site.campus.send(
                "GET", "/v1/sites/\(copy)", token: site.administrator)
            #expect(copied.text == now.text)
        }
        let missing = try await run(["export", "site", "--site", "nowhere", "--output", document])
        #expect(missing.status == 1 && missing.errors.contains("no site nowhere"))
    }

    @Test("An import goes into the draft, loses no edit there, and keeps the time zone")
    func drafts() async throws {
        let site = try await SmallSite.shared.value
        let folder = try makeTemporaryFolder("drafts")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = "/v1/sites/drafted"
        func run(_ arguments: String...) async throws -> ProgramRun {
            try await ProgramRun.of(
                Programs.command("whereabouts") + arguments,
                environment: site.campus.environment.merging(
                    ["WHEREABOUTS_TOKEN": site.administrator]) { $1 })
        }
        func draft() async throws -> Answer {
            try await site.campus.send("GET", "\(path)?version=draft", token: site.administrator)
        }
        let map = folder.appending(path: "map.osm")
        let base = folder.appending(path: "base.json").path
        try Self.map(named: "Arcade", lift: "").write(to: map, atomically: true, encoding: .utf8)
        _ = try await run(
            "import", "osm", map.path, "--site", "drafted", "--time-zone", "Europe/Berlin",
            "--output", base
        ).successful()
        // Somebody edits and does not publish.
        let renamed = try await site.campus.send(
            "PATCH", "\(path)/connections/w7", token: site.administrator,
            body: Array(#"{"name":"SECRET"}"#.utf8), headers: [("if-match", "*")])
        #expect(renamed.status == 200, "\(renamed.text)")

        try Self.map(named: "Arcade", lift: "<tag k=\"wheelchair\" v=\"yes\"/>").write(
            to: map, atomically: true, encoding: .utf8)
        let again = try await run(
            "import", "osm", map.path, "--site", "drafted", "--base", base
        ).successful()
        #expect(again.summary["version"] == nil)
        #expect(again.summary["changed"] as? Bool == true)
        let now = try await draft()
        #expect(now.text.contains("SECRET") && now.text.contains("\"accessible\":\"yes\""))
        #expect(now.text.contains("Europe/Berlin") && !now.text.contains("Etc/UTC"))
        let published = try await site.campus.send("GET", path, token: site.administrator)
        #expect(!published.text.contains("SECRET"))
        #expect(!published.text.contains("\"accessible\":\"yes\""))

        let before = try await draft()
        // The map has no name of its own, and "OpenStreetMap" would say nothing.
        #expect(before.json["name"] as? String == "drafted")

        // A table finds a floor that is in the draft only, and a part of GeoJSON its own.
        let rooms = folder.appending(path: "rooms.csv").path
        let floor = try await site.campus.send(
            "PUT", "\(path)/floors/attic", token: site.administrator,
            body: Array(
                #"{"id":"attic","building":"site","ordinal":7,"level":"7"}"#.utf8),
            headers: [("if-match", "*")])
        #expect(floor.status < 300, "\(floor.text)")
        try "id,floor,name\nstudio,attic,Studio\n".write(
            toFile: rooms, atomically: true, encoding: .utf8)
        _ = try await run("import", "csv", rooms, "--site", "drafted").successful()
        #expect(try await draft().text.contains("Studio"))
        let doors = """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "id": "hatch", "geometry": null,
               "properties": {"record": "connection", "id": "hatch", "kind": "door", "doors": 2,
                 "stops": [{"floor": "attic", "room": "studio", "x": 0, "y": 0}, {"x": 0, "y": 0}]}}]}
            """
        let part = try await site.campus.send(
            "POST", "\(path)/imports?format=geojson", token: site.administrator,
            body: Array(doors.utf8), headers: [("content-type", "application/geo+json")])
        #expect(part.status == 200 && part.text.contains("unknown-property"), "\(part.text)")
        // The command takes a part as the service does.
        let file = folder.appending(path: "part.geojson")
        try doors.replacingOccurrences(of: "hatch", with: "hatch-2").write(
            to: file, atomically: true, encoding: .utf8)
        let second = try await run("import", "geojson", file.path, "--site", "drafted").successful()
        #expect(second.summary["changed"] as? Bool == true)
        #expect(second.summary["conflicts"] as? Int == 0)
        let after = try await draft()
        #expect(after.json["name"] as? String == before.json["name"] as? String)
        #expect(after.text.contains("hatch") && after.text.contains("SECRET"))
        #expect(after.text.contains("hatch-2"))

        // Publishing says so on its own; then everybody sees all of it.
        let done = try await run("publish", "--site", "drafted").successful()
        #expect(done.summary["version"] as? Int == 2)
        let versions = try await run("versions", "--site", "drafted").successful()
        #expect(versions.output.contains("\"version\":2"), "\(versions.output)")
        // A whole site that says no name leaves the site's own, and disagrees with nobody about it.
        _ = try await run("export", "geojson", "--site", "drafted", "--output", file.path)
            .successful()
        var whole = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        var itself = try #require(whole["site"] as? [String: Any])
        #expect(itself.removeValue(forKey: "name") != nil)
        whole["site"] = itself
        whole["name"] = nil
        try Data(jsonText(whole)).write(to: file)
        let nameless = try await run("import", "geojson", file.path, "--site", "drafted")
            .successful()
        #expect(nameless.summary["conflicts"] as? Int == 0, "\(nameless.errors)")
        #expect(nameless.summary["changed"] as? Bool == false, "\(nameless.output)")
        let back = try await run("restore", "1", "--site", "drafted").successful()
        #expect(back.summary["version"] as? Int == 3)
        #expect(
            try await !site.campus.send("GET", path, token: site.administrator).text.contains(
                "SECRET"))
    }

    @Test("A route is told by names, and what is not there with a sentence")
    func routes() async throws {
        let site = try await SmallSite.shared.value
        func run(_ arguments: String...) async throws -> ProgramRun {
            try await ProgramRun.of(
                Programs.command("whereabouts") + arguments,
                environment: site.campus.environment.merging(
                    ["WHEREABOUTS_TOKEN": site.administrator]) { $1 })
        }
        // The only door is out of order now and then, by other tests of the same site.
        try await eventually("a way is found by names") {
            let named = try await run("route", "a", "b", "--site", SmallSite.name).successful()
            return named.summary["found"] as? Bool == true
        }
        let unknown = try await run("route", "a", "nowhere", "--site", SmallSite.name)
        // Nothing is wrong with the words, so their usage is not explained.
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("is called nowhere") && !unknown.errors.contains("{"))
        #expect(!unknown.errors.contains("--site ID"))
        let refused = try await run("publish", "--site", "nowhere")
        #expect(refused.status == 1 && refused.errors.contains("no site nowhere"))
        let outage = try await run(
            "outage", "begin", "door-ab", "--site", SmallSite.name, "--reason", "paint",
            "--from", "2030-01-01T00:00:00Z", "--until", "2030-01-02T00:00:00Z"
        ).successful()
        let id = try #require(outage.summary["id"] as? String)
        let listed = try await run("outage", "list", "--site", SmallSite.name, "--all").successful()
        #expect(listed.output.contains(id))
        _ = try await run("outage", "end", id).successful()
    }
}
