import Archive
import Foundation
import MapFormats
import PublicData
import SeededRandomness
import SiteExchange

/// Pieces of maps, damaged part by part and byte by byte, as XML, gzipped or not, and PBF. A run's
/// first files are made to fill memory or time.
struct OpenStreetMapSource: FuzzSource {
    private let maps: [MapPieces]

    /// Uses the hand-made map, and the public stations where they are available.
    init() throws {
        var maps = [MapPieces(OpenStreetMapSeed.map)]
        for name in ["moorgate", "herrenberg-minimal", "cologne-central", "hamburg-central"] {
            guard let path = SharedData.path("osm/\(name).osm.gz") else { continue }
            maps.append(MapPieces(try OpenStreetMapData(readingFileAt: path)))
        }
        self.maps = maps
    }

    func read(_ path: String) throws -> ImportedSite { try readMap(path, "osm") }

    func write(_ number: Int, seed: UInt64, to path: String) throws {
        if number < MapBomb.allCases.count {
            return try MapBomb.allCases[number].write(to: path)
        }
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        // The hand-made map has everything; the others are realistic.
        let map = maps[
            Bool.random(using: &random) ? 0 : Int.random(in: maps.indices, using: &random)]
        var data = map.piece(&random)
        var bytes: [UInt8]
        let isXML = Int.random(in: 0..<3, using: &random) > 0
        if Int.random(in: 0..<5, using: &random) > 0 { MapDamage.damage(&data, &random) }
        if isXML {
            bytes = Array(MapText.xml(data).utf8)
        } else {
            var block = PBFMap(data).block
            if Int.random(in: 0..<4, using: &random) == 0 { ByteDamage.damage(&block, &random) }
            bytes = PBFMap.file(block, isPacked: Bool.random(using: &random))
        }
        if Int.random(in: 0..<5, using: &random) < 2 { ByteDamage.damage(&bytes, &random) }
        guard isXML, Int.random(in: 0..<4, using: &random) == 0 else {
            try Data(bytes).write(to: URL(filePath: path))
            return
        }
        var packed = try MapText.gzipped(bytes)
        if Bool.random(using: &random) { ByteDamage.damage(&packed, &random) }
        try Data(packed).write(to: URL(filePath: path))
    }
}

/// A map from which pieces are cut.
private struct MapPieces {
    private let data: OpenStreetMapData
    private let nodes: [Int64: OpenStreetMapData.Node]
    /// The ways that a site could be made from.
    private let ways: [Int]

    init(_ data: OpenStreetMapData) {
        self.data = data
        nodes = Dictionary(data.nodes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let keys: Set = ["highway", "indoor", "level", "building", "railway"]
        ways = data.ways.indices.filter { !keys.isDisjoint(with: data.ways[$0].tags.keys) }
    }

    /// Up to 40 consecutive ways of the file, with their nodes and some relations.
    func piece(_ random: inout SeededRandom) -> OpenStreetMapData {
        guard ways.count > 40 else { return data }
        let start = Int.random(in: 0..<(ways.count - 40), using: &random)
        let chosen = ways[start..<(start + Int.random(in: 1...40, using: &random))].map {
            data.ways[$0]
        }
        let used = Set(chosen.flatMap(\.nodes)).sorted().compactMap { nodes[$0] }
        let lifts = data.nodes.filter { $0.tags["highway"] == "elevator" }
        let relations = data.relations.filter { relation in
            relation.tags["type"] == "multipolygon" && Int.random(in: 0..<8, using: &random) == 0
        }
        return OpenStreetMapData(
            nodes: used + lifts.prefix(2), ways: chosen, relations: Array(relations.prefix(3)))
    }
}

/// Imports a file in one of the map formats.
func readMap(_ path: String, _ name: String) throws -> ImportedSite {
    guard let format = MapFormat.named(name) else { throw POSIXError(.EINVAL) }
    return try format.read(path)
}
