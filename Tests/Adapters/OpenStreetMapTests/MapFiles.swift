import Archive
import Foundation
import OpenStreetMap

/// A small map in both formats: a node with tags, a node without a position, a way and a relation.
enum MapFiles {
    static let xml = """
        <?xml version='1.0' encoding='UTF-8'?>
        <osm version="0.6" generator="by hand">
          <bounds minlat="51.5" minlon="-0.1" maxlat="51.6" maxlon="0.1"/>
          <node id="1" version="1" lat="51.5180000" lon="-0.0880000">
            <tag k="name" v="Moor&#103;ate &amp; Söhne"/>
            <tag k="level" v="-1;0"/>
          </node>
          <node id="-2" lat="51.5190000" lon="-0.0870000"/>
          <way id="7"><nd ref="1"/><nd ref="-2"/><nd ref="99"/><tag k="highway" v="steps"/></way>
          <relation id="8">
            <member type="way" ref="7" role="outer"/>
            <member type="node" ref="1" role=""/>
            <member type="relation" ref="88" role="part"/>
            <tag k="type" v="site"/>
          </relation>
        </osm>
        """

    static let nodes = [
        OpenStreetMapNode(
            id: 1, latitude: 51.518, longitude: -0.088,
            tags: ["name": "Moorgate & Söhne", "level": "-1;0"]),
        OpenStreetMapNode(id: -2, latitude: 51.519, longitude: -0.087, tags: [:]),
    ]
    static let way = OpenStreetMapWay(id: 7, nodes: [1, -2, 99], tags: ["highway": "steps"])
    static let relation = OpenStreetMapRelation(
        id: 8,
        members: [
            .init(kind: .way, id: 7, role: "outer"), .init(kind: .node, id: 1, role: ""),
            .init(kind: .relation, id: 88, role: "part"),
        ], tags: ["type": "site"])

    /// The same map as PBF ("PBF Format", OpenStreetMap wiki: fileformat.proto and
    /// osmformat.proto).
    static let pbf = pbf(named: "Moorgate & Söhne")

    static func pbf(named name: String) -> [UInt8] {
        let strings = [
            "", "name", name, "level", "-1;0", "highway", "steps", "type", "site",
            "outer", "part",
        ]
        let table = strings.flatMap { field(1, Array($0.utf8)) }
        // 51.518 and -0.088 degrees in units of 100 nanodegrees.
        let first =
            number(1, zigzag(1)) + packed(2, [1, 3]) + packed(3, [2, 4])
            + number(8, zigzag(515_180_000)) + number(9, zigzag(-880_000))
        let second =
            number(1, zigzag(-2)) + number(8, zigzag(515_190_000)) + number(9, zigzag(-870_000))
        let way =
            number(1, 7) + packed(2, [5]) + packed(3, [6])
            + packed(8, [zigzag(1), zigzag(-3), zigzag(101)])
        let relation =
            number(1, 8) + packed(2, [7]) + packed(3, [8]) + packed(8, [9, 0, 10])
            + packed(9, [zigzag(7), zigzag(-6), zigzag(87)]) + packed(10, [1, 0, 2])
        let groups = [
            field(1, first) + field(1, second), field(3, way), field(4, relation),
        ]
        let block = field(1, table) + groups.flatMap { field(2, $0) }
        let header = field(4, Array("OsmSchema-V0.6".utf8))
        return blob("OSMHeader", header) + blob("OSMData", block)
    }

    /// - Parameter claimed: the unpacked size that the blob states, if not the true one.
    static func blob(_ type: String, _ content: [UInt8], claimed: UInt64? = nil) -> [UInt8] {
        let body = field(1, content) + number(2, claimed ?? UInt64(content.count))
        let header = field(1, Array(type.utf8)) + number(3, UInt64(body.count))
        let size = UInt32(header.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + header + body
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }
    private static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }
    private static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
        varint(field << 3) + varint(value)
    }
    private static func field(_ field: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        varint(field << 3 | 2) + varint(UInt64(bytes.count)) + bytes
    }
    private static func packed(_ number: UInt64, _ values: [UInt64]) -> [UInt8] {
        field(number, values.flatMap { varint($0) })
    }
}

/// The content of a file.
struct ReadMap: Equatable {
    var nodes: [OpenStreetMapNode] = []
    var ways: [OpenStreetMapWay] = []
    var relations: [OpenStreetMapRelation] = []

    init(path: String, limits: OpenStreetMapLimits = OpenStreetMapLimits()) throws {
        try OpenStreetMapFile(path: path, limits: limits).read { entity in
            switch entity {
            case .node(let node): nodes.append(node)
            case .way(let way): ways.append(way)
            case .relation(let relation): relations.append(relation)
            }
        }
    }

    /// Reads a file with these bytes and deletes it afterwards.
    init(
        _ bytes: [UInt8], isGzipped: Bool = false,
        limits: OpenStreetMapLimits = OpenStreetMapLimits()
    ) throws {
        let name = "whereabouts-map-\(UUID().uuidString)" + (isGzipped ? ".gz" : "")
        let file = FileManager.default.temporaryDirectory.appending(path: name)
        defer { try? FileManager.default.removeItem(at: file) }
        let writer = try GzipWriter(path: file.path)
        try writer.write(bytes)
        try writer.close()
        try self.init(path: file.path, limits: limits)
    }

    /// The error code for a file of these bytes. Nil when it can be read.
    static func refusal(
        _ bytes: [UInt8], isGzipped: Bool = false,
        limits: OpenStreetMapLimits = OpenStreetMapLimits()
    ) throws -> OpenStreetMapError.Code? {
        do {
            _ = try ReadMap(bytes, isGzipped: isGzipped, limits: limits)
            return nil
        } catch let error as OpenStreetMapError {
            return error.code
        }
    }
}
