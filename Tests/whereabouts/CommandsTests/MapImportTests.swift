import Commands
import Events
import Foundation
import JSON
import PublicData
import Site
import Synchronization
import Testing
import Wire

@Suite("import of maps") struct MapImportTests {
    private static let map = """
        <osm version="0.6">
          <node id="1" lat="51.5" lon="-0.1"/>
          <node id="2" lat="51.5" lon="-0.0999"><tag k="highway" v="elevator"/></node>
          <node id="3" lat="51.5001" lon="-0.0999"/>
          <way id="7">
            <nd ref="1"/><nd ref="2"/><tag k="highway" v="corridor"/><tag k="level" v="0"/>
          </way>
          <way id="8">
            <nd ref="2"/><nd ref="3"/><tag k="highway" v="corridor"/><tag k="level" v="1"/>
          </way>
          <way id="9"><nd ref="3"/><nd ref="4"/><tag k="highway" v="steps"/></way>
        </osm>
        """

    /// Runs `import` and returns the last line of its output. Throws the command's error.
    private func run(_ arguments: [String]) async throws -> String {
        let lines = Mutex<[String]>([])
        let invocation = Invocation(
            arguments: arguments, output: { line in lines.withLock { $0.append(line) } },
            note: { _ in })
        try await Command.importFile.run(invocation)
        return lines.withLock { $0.last ?? "" }
    }

    private func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-map-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test("Beacons without a site are refused before the file is read, and the option is named")
    func withoutSite() async throws {
        let fault = await #expect(throws: UsageFault.self) {
            try await run(["beacons", "/nowhere/level-6.json"])
        }
        #expect(fault.map { "\($0)".contains("import beacons needs --site ID") } == true)
    }

    @Test("A map becomes a site document and a report; the same map gives the same bytes")
    func writes() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let map = folder.appending(path: "map.osm").path
        let site = folder.appending(path: "a.json").path
        let again = folder.appending(path: "b.json").path
        let report = folder.appending(path: "notes.jsonl").path
        try Self.map.write(toFile: map, atomically: true, encoding: .utf8)
        let line = try await run([
            "osm", map, "--output", site, "--report", report, "--name", "Mine", "--time-zone",
            "Europe/London",
        ])
        try JSONParser.read(Array(line.utf8)) { root in
            let object = try #require(root.object)
            #expect(object["format"]?.string == "osm")
            #expect(object["counts"]?.object?["lifts"]?.int == 1)
            #expect(object["counts"]?.object?["corridors"]?.int == 2)
            #expect(object["notes"]?.object?["dangling-reference"]?.int == 1)
        }
        _ = try await run([
            "osm", map, "--output", again, "--name", "Mine", "--time-zone", "Europe/London",
        ])
        let bytes = try Data(contentsOf: URL(filePath: site))
        #expect(try Data(contentsOf: URL(filePath: again)) == bytes)
        let document = try SiteDocument(json: Array(bytes))
        #expect(document.name == "Mine")
        #expect(document.buildings.map(\.timeZone) == ["Europe/London"])
        #expect(SiteValidation.faults(in: document).isEmpty)
        let notes = try String(contentsOfFile: report, encoding: .utf8)
        #expect(notes.contains(#""id":"w9","what":"dangling-reference""#))
    }

    @Test("A broken map writes nothing")
    func refuses() async throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let map = folder.appending(path: "map.osm").path
        let site = folder.appending(path: "a.json").path
        try Self.map.dropLast(20).write(toFile: map, atomically: true, encoding: .utf8)
        await #expect(throws: (any Error).self) { try await run(["osm", map, "--output", site]) }
        #expect(!FileManager.default.fileExists(atPath: site))
        await #expect(throws: UsageFault.self) { try await run(["osm"]) }
        await #expect(throws: UsageFault.self) { try await run(["osm", map, "--site", "a b"]) }
    }

    @Test("The imported station has as many lifts, corridors, stairs and levels as its map")
    func station() async throws {
        guard let path = SharedData.path("osm/moorgate.osm.gz") else { return }
        let line = try await run(["osm", path])
        try JSONParser.read(Array(line.utf8)) { root in
            let counts = try #require(root.object?["counts"]?.object)
            #expect(counts["lifts"]?.int == 9)
            #expect(counts["corridors"]?.int == 46)
            #expect((counts["stairs"]?.int ?? 0) + (counts["escalators"]?.int ?? 0) == 68)
            #expect(counts["levels"]?.int == 11)
        }
    }
}
