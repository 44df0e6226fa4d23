import Archive
import Events
import Foundation
import Geometry
import MapFormats
import PublicData
import SeededRandomness
import Simulation
import Site
import SiteExchange
import Wire

/// One floor of the simulated house and one record of every other kind. It is small, so that many
/// files can be tried.
enum ExchangeSeed {
    static let site: SiteDocument = {
        var site = SimulatedBuilding.make(seed: 1).document
        let floor = site.floors[0].id
        site.floors.removeLast(site.floors.count - 1)
        site.rooms = Array(site.rooms.filter { $0.floor == floor }.prefix(12))
        let rooms = Set(site.rooms.map(\.id))
        site.locations = site.locations.filter { $0.room.map(rooms.contains) ?? false }
        site.connections = site.connections.filter { connection in
            connection.stops.allSatisfy { stop in
                stop.floor == nil || stop.floor == floor && stop.room.map(rooms.contains) != false
            }
        }
        site.zones = [
            ZoneRecord(
                id: ZoneID("zone"), name: "Show", kind: "exhibition", floor: floor,
                outline: site.rooms[0].outline, rooms: [site.rooms[0].id])
        ]
        site.beacons = [
            SiteBeacon(
                id: BeaconID("beacon"), floor: floor, point: [1, 1],
                address: HardwareAddress(value: 7))
        ]
        site.directory = [
            DirectoryEntry(
                id: DirectoryID("office"), kind: "office", name: "Office",
                names: Translations(["cy": "Swyddfa"]), places: [.room(site.rooms[0].id)],
                openingHours: "Mo-Fr 09:00-17:00", website: "https://example.org")
        ]
        site.contents = [
            ContentRecord(
                id: ContentID("story"), place: .zone(ZoneID("zone")), title: "Story",
                text: "Once.")
        ]
        return site
    }()
}

/// GeoJSON, damaged in its values and in its bytes. The first files are costly on purpose.
struct GeoJSONSource: FuzzSource {
    private let value = GeoJSONExchange.featureCollection(of: ExchangeSeed.site)

    func read(_ path: String) throws -> ImportedSite { try readMap(path, "geojson") }

    func write(_ number: Int, seed: UInt64, to path: String) throws {
        if number < JSONBomb.allCases.count {
            return try Data(JSONBomb.allCases[number].bytes).write(to: URL(filePath: path))
        }
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        var value = value
        if Int.random(in: 0..<5, using: &random) > 0 { ValueDamage.damage(&value, &random) }
        var bytes = value.json
        if Int.random(in: 0..<5, using: &random) < 2 { ByteDamage.damage(&bytes, &random) }
        try Data(bytes).write(to: URL(filePath: path))
    }
}

/// Archives of IMDF: one of ours, and the public one with one or two damaged files.
struct IMDFSource: FuzzSource {
    private let archives: [IMDFArchive]

    init() throws {
        var archives = [
            IMDFExchange.archive(
                of: ExchangeSeed.site, base: nil, created: "2026-11-22T00:00:00.000Z")
        ]
        if let path = SharedData.path("imdf/polytech.imdf.zip") {
            archives.append(try IMDFArchive(readingFilesAt: path))
        }
        self.archives = archives
    }

    func read(_ path: String) throws -> ImportedSite { try readMap(path, "imdf") }

    func write(_ number: Int, seed: UInt64, to path: String) throws {
        if number < JSONBomb.allCases.count {
            let files = [
                (path: "manifest.json", bytes: Array("{\"version\":\"1.0.0\"}".utf8)),
                (path: "unit.geojson", bytes: JSONBomb.allCases[number].bytes),
            ]
            return try Data(ZipArchive.pack(files)).write(to: URL(filePath: path))
        }
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        // The public archive is large, so only one file in fifty uses it.
        let isPublic = Int.random(in: 0..<50, using: &random) == 0
        var files = archives[isPublic ? archives.count - 1 : 0].archivedFiles
        for _ in 0..<Int.random(in: 1...3, using: &random) where !files.isEmpty {
            let index = Int.random(in: files.indices, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: files.remove(at: index)
            case 1: files.append(files[index])
            case 2: files[index].path = "../\(files[index].path)"
            case 3: ByteDamage.damage(&files[index].bytes, &random)
            default:
                guard var value = try? PropertyValue(json: files[index].bytes) else { break }
                ValueDamage.damage(&value, &random)
                files[index].bytes = value.json
            }
        }
        var bytes = try ZipArchive.pack(files.map { (path: $0.path, bytes: $0.bytes) })
        if Int.random(in: 0..<6, using: &random) == 0 { ByteDamage.damage(&bytes, &random) }
        try Data(bytes).write(to: URL(filePath: path))
    }
}

/// JSON that is small or simple but costly for careless readers.
private enum JSONBomb: CaseIterable {
    case spaces, deepLists, deepMembers, manyFeatures, longRing, longText, crossings

    var bytes: [UInt8] {
        switch self {
        case .spaces: Array("{".utf8) + [UInt8](repeating: 32, count: 100_000_000)
        case .deepLists: [UInt8](repeating: UInt8(ascii: "["), count: 2_000_000)
        case .deepMembers: Array(String(repeating: "{\"a\":", count: 500_000).utf8)
        case .manyFeatures: collection(String(repeating: "{},", count: 3_000_000) + "{}")
        case .longRing: collection(polygon((0..<500_000).map { (0.000_01 * Double($0), 1) }))
        case .longText:
            collection(
                "{\"type\":\"Feature\",\"id\":\"\(String(repeating: "x", count: 30_000_000))\"}")
        case .crossings:
            collection(polygon((0..<1_990).map { (Double($0 % 2), 0.000_01 * Double($0)) }))
        }
    }

    private func collection(_ features: String) -> [UInt8] {
        Array("{\"type\":\"FeatureCollection\",\"features\":[\(features)]}".utf8)
    }

    private func polygon(_ corners: [(Double, Double)]) -> String {
        let ring = corners.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
        return "{\"type\":\"Feature\",\"id\":\"a\",\"feature_type\":\"unit\",\"geometry\":"
            + "{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]},"
            + "\"properties\":{\"record\":\"room\",\"category\":\"room\"}}"
    }
}
