import Archive
import Foundation
import OpenStreetMap
import PublicData
import SeededRandomness
import Testing

@Suite("OpenStreetMapFile") struct OpenStreetMapFileTests {
    @Test("XML, gzipped or not, and PBF give the same map, whatever the file's name")
    func formats() throws {
        let xml = try ReadMap(Array(MapFiles.xml.utf8))
        #expect(xml.nodes == MapFiles.nodes)
        #expect(xml.ways == [MapFiles.way])
        #expect(xml.relations == [MapFiles.relation])
        #expect(try ReadMap(Array(MapFiles.xml.utf8), isGzipped: true) == xml)
        #expect(try ReadMap(MapFiles.pbf) == xml)
        #expect(try ReadMap(Array("\u{feff}\n\(MapFiles.xml.dropFirst(38))".utf8)) == xml)
    }

    @Test("Unwanted kinds are skipped, and the body's error is passed on")
    func kinds() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-map-\(UUID().uuidString)")
        try MapFiles.xml.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        var found: [OpenStreetMapEntity] = []
        try OpenStreetMapFile(path: file.path).read(.ways) { found.append($0) }
        #expect(found == [.way(MapFiles.way)])
        #expect(throws: CancellationError.self) {
            try OpenStreetMapFile(path: file.path).read { _ in throw CancellationError() }
        }
    }

    @Test("An empty map can be read")
    func empty() throws {
        let map = try ReadMap(Array("<osm version='0.6'></osm>".utf8))
        #expect(map.nodes.isEmpty && map.ways.isEmpty && map.relations.isEmpty)
    }

    @Test("A node may have no position, or one out of range; the caller decides")
    func places() throws {
        let xml = """
            <osm version="0.6"><node id="1"/><node id="2" lat="95" lon="0"/></osm>
            """
        let nodes = try ReadMap(Array(xml.utf8)).nodes
        #expect(nodes.map(\.latitude) == [nil, 95])
    }

    @Test("A file that ends too early is damaged, wherever it ends", arguments: 1..<40)
    func truncated(fortieth: Int) throws {
        let xml = Array(MapFiles.xml.utf8)
        #expect(try ReadMap.refusal(Array(xml.prefix(xml.count * fortieth / 40))) == .damaged)
        let pbf = MapFiles.pbf
        let second = MapFiles.blob("OSMHeader", Array(repeating: 0, count: 16)).count
        let cut = max(16, pbf.count * fortieth / 40)
        // A cut between the two blobs leaves a map without entities.
        if cut != second { #expect(try ReadMap.refusal(Array(pbf.prefix(cut))) == .damaged) }
    }

    @Test("A gzip file that ends too early is damaged")
    func truncatedGzip() throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-map-\(UUID().uuidString).gz")
        defer { try? FileManager.default.removeItem(at: file) }
        let writer = try GzipWriter(path: file.path)
        try writer.write(Array(MapFiles.xml.utf8))
        try writer.close()
        let whole = try Data(contentsOf: file)
        for count in [11, whole.count / 2, whole.count - 9, whole.count - 1] {
            try whole.prefix(count).write(to: file)
            let error = #expect(throws: OpenStreetMapError.self) { try ReadMap(path: file.path) }
            #expect(error?.code == .damaged)
        }
    }

    struct Bad: Sendable, CustomStringConvertible {
        var description: String
        var bytes: [UInt8]
        var code: OpenStreetMapError.Code

        init(_ description: String, _ text: String, _ code: OpenStreetMapError.Code) {
            self.init(description, Array(text.utf8), code)
        }
        init(_ description: String, _ bytes: [UInt8], _ code: OpenStreetMapError.Code) {
            self.description = description
            self.bytes = bytes
            self.code = code
        }
    }

    static let bad: [Bad] = [
        Bad("nothing", "", .unknownFormat),
        Bad("JSON", "{\"version\": 0.6, \"elements\": []}", .unknownFormat),
        Bad(
            "random bytes", (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 197) }, .unknownFormat
        ),
        Bad("another kind of XML", "<gpx version='1.1'></gpx>", .damaged),
        Bad("XML that is not well-formed", "<osm version='0.6'><node id='1' </osm>", .damaged),
        Bad("another version", "<osm version='0.5'></osm>", .damaged),
        Bad(
            "changes", "<osmChange version='0.6'><create><node id='1'/></create></osmChange>",
            .unknownFormat),
        Bad("an id that is not a number", "<osm version='0.6'><node id='x'/></osm>", .damaged),
        Bad(
            "a latitude that is not a number",
            "<osm version='0.6'><node id='1' lat='north' lon='0'/></osm>", .damaged),
        Bad(
            "an entity bomb",
            """
            <?xml version="1.0"?><!DOCTYPE osm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
            <osm version="0.6"><node id="1"><tag k="name" v="&b;&b;&b;"/></node></osm>
            """, .damaged),
        Bad(
            "a name of 10,000 characters",
            "<osm version='0.6'><node id='1'><tag k='name' v='"
                + String(repeating: "n", count: 10_000) + "'/></node></osm>",
            .tooLarge),
        Bad("a zero byte in a string", MapFiles.pbf(named: "Moor\0gate"), .damaged),
        Bad("a blob beyond the end", [0, 0, 0, 200] + MapFiles.pbf.dropFirst(4), .damaged),
        Bad(
            "a blob with a wrong unpacked size",
            MapFiles.pbf + MapFiles.blob("OSMData", [255, 255, 255], claimed: 1), .damaged),
    ]

    @Test("Each bad file is refused with its code", arguments: bad)
    func refused(bad: Bad) throws {
        #expect(try ReadMap.refusal(bad.bytes) == bad.code)
    }

    @Test("Limits of size, counts and endless XML are kept")
    func limits() throws {
        func refusal(
            _ bytes: [UInt8], isGzipped: Bool = false,
            _ change: (inout OpenStreetMapLimits) -> Void
        ) throws -> OpenStreetMapError.Code? {
            var limits = OpenStreetMapLimits()
            change(&limits)
            return try ReadMap.refusal(bytes, isGzipped: isGzipped, limits: limits)
        }
        let xml = Array(MapFiles.xml.utf8)
        #expect(try refusal(xml) { $0.fileBytes = 100 } == .tooLarge)
        #expect(try refusal(xml) { $0.entities = 3 } == .tooLarge)
        #expect(try refusal(xml) { $0.entities = 4 } == nil)
        #expect(try refusal(xml) { $0.tagsOfEntity = 1 } == .tooLarge)
        #expect(try refusal(xml) { $0.membersOfEntity = 2 } == .tooLarge)
        #expect(try refusal(xml) { $0.markupBytes = 20 } == .tooLarge)
        let nothing = Array("<osm version='0.6'>".utf8) + Array(repeating: 32, count: 3_000_000)
        // The file has only a few kilobytes on disk.
        #expect(try refusal(nothing, isGzipped: true) { $0.fileBytes = 10_000 } == .tooLarge)
        #expect(
            try refusal(nothing, isGzipped: true) {
                $0.unpackedBytes = 2_000_000
                $0.markupBytes = .max
            } == .tooLarge)
        let claims = MapFiles.pbf + MapFiles.blob("OSMData", [], claimed: 30_000_000)
        #expect(try refusal(claims) { $0.unpackedBytes = 20_000_000 } == .tooLarge)
    }

    @Test("A folder or a missing file has its own error")
    func absent() throws {
        for (path, code) in [
            ("/nowhere/map.osm", OpenStreetMapError.Code.notFound), ("/tmp", .unreadable),
        ] {
            let error = #expect(throws: OpenStreetMapError.self) { try ReadMap(path: path) }
            #expect(error?.code == code)
            #expect(error?.path == path)
        }
    }

    @Test("A file with randomly changed bytes is read or refused", arguments: 0..<60)
    func mutated(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        for original in [Array(MapFiles.xml.utf8), MapFiles.pbf] {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            let code = try ReadMap.refusal(bytes)
            #expect(code != .outOfMemory && code != .unreadable && code != .notFound)
        }
    }

    @Test("The station's file has as many entities as its text")
    func station() throws {
        guard let path = SharedData.path("osm/moorgate.osm.gz") else { return }
        let map = try ReadMap(path: path)
        var (nodes, ways, relations) = (0, 0, 0)
        try ArchiveReader(path: path).forEachLine { line, _ in
            let text = String(decoding: line, as: UTF8.self)
            nodes += text.contains("<node ") ? 1 : 0
            ways += text.contains("<way ") ? 1 : 0
            relations += text.contains("<relation ") ? 1 : 0
        }
        #expect(nodes > 100 && map.nodes.count == nodes)
        #expect(map.ways.count == ways)
        #expect(map.relations.count == relations)
    }
}
