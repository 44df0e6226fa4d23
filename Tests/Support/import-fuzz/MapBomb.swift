import Archive
import Foundation
import SiteExchange

/// Map files that are small or simple but costly for careless readers.
enum MapBomb: CaseIterable {
    /// Ten XML entities, each ten times as long as the one before.
    case entities
    /// A gigabyte of spaces or of zeros, gzipped.
    case spaces, zeros
    case emptyNodes, longWay, longTag, deepXML, tags
    /// Ways between the same two nodes, rooms with the same corners, and rooms of 2,000 corners on
    /// top of each other.
    case sameWay, sameRooms, largeRooms
    /// A chain of stairs on two levels each, without a hint which level is which.
    case stairs
    case manyDoors, manyLevels
    /// Ways between the same two nodes with kerbs, such stairs on three levels, walls, and shops.
    case kerbs, stairwells, walls, shops

    func write(to path: String) throws {
        switch self {
        case .spaces: try writeGigabyte(of: 32, after: "<osm version='0.6'>", to: path)
        case .zeros: try writeGigabyte(of: 0, after: "", to: path)
        default: try Data(text.utf8).write(to: URL(filePath: path))
        }
    }

    private func writeGigabyte(of byte: UInt8, after start: String, to path: String) throws {
        let writer = try GzipWriter(path: "\(path).gz")
        try writer.write(Array(start.utf8))
        let piece = [UInt8](repeating: byte, count: 1 << 20)
        for _ in 0..<1_024 { try writer.write(piece) }
        try writer.close()
        guard rename("\(path).gz", path) == 0 else { throw POSIXError(.EIO) }
    }

    private var text: String {
        switch self {
        case .entities:
            let entities = (1...9).map { level in
                let before = String(repeating: "&e\(level - 1);", count: 10)
                return "<!ENTITY e\(level) \"\(before)\">"
            }.joined()
            return "<?xml version=\"1.0\"?><!DOCTYPE osm [<!ENTITY e0 \"haha\">\(entities)]>"
                + "<osm version=\"0.6\"><node id=\"1\" lat=\"0\" lon=\"0\">"
                + "<tag k=\"name\" v=\"&e9;\"/></node></osm>"
        case .spaces, .zeros: return ""
        case .emptyNodes:
            return osm(repeated("<node id='1'/>", 3_000_000))
        case .longWay:
            return osm(node(1, 0, 0) + "<way id='1'>\(repeated("<nd ref='1'/>", 2_000_000))</way>")
        case .longTag:
            return osm("<node id='1'><tag k='\(repeated("k", 60_000_000))' v='x'/></node>")
        case .deepXML: return osm(repeated("<a>", 5_000_000))
        case .tags:
            let tags = (0..<1_500).map { "<tag k='\($0)' v='a value that is long'/>" }.joined()
            return osm(repeated("<node id='1' lat='0' lon='0'>\(tags)</node>", 1_200))
        default: return MapText.xml(map)
        }
    }

    private func osm(_ body: String) -> String { "<osm version='0.6'>\(body)</osm>" }
    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }
    private func node(_ id: Int, _ latitude: Double, _ longitude: Double) -> String {
        "<node id='\(id)' lat='\(latitude)' lon='\(longitude)'/>"
    }

    private var map: OpenStreetMapData {
        var map = OpenStreetMapData()
        func node(_ id: Int64, _ x: Double, _ y: Double, _ tags: [String: String] = [:]) {
            map.nodes.append(
                .init(id: id, latitude: y * 0.000_01, longitude: x * 0.000_01, tags: tags))
        }
        func way(_ id: Int64, _ nodes: [Int64], _ tags: [String: String]) {
            map.ways.append(.init(id: id, nodes: nodes, tags: tags))
        }
        let door =
            self == .manyDoors ? ["door": "yes"] : self == .kerbs ? ["kerb": "raised"] : [:]
        for (id, x, y) in [(1, 0, 0), (2, 100, 0), (3, 100, 100), (4, 0, 100)] {
            node(Int64(id), Double(x), Double(y), door)
        }
        switch self {
        case .sameWay:
            for id in 0..<100_000 { way(Int64(id), [1, 2], ["highway": "footway"]) }
        case .sameRooms, .manyDoors:
            let kind = self == .sameRooms ? "area" : "room"
            for id in 0..<20_000 {
                way(Int64(id), [1, 2, 3, 4, 1], ["indoor": kind, "level": "0"])
            }
        case .largeRooms:
            let ring = (0..<1_990).map { Int64(10 + $0) }
            for (number, id) in ring.enumerated() {
                let angle = Double(number) / 1_990 * 2 * .pi
                node(id, 900 * cos(angle), 900 * sin(angle))
            }
            for id in 0..<700 {
                way(Int64(id), ring + [ring[0]], ["indoor": "room", "level": "0"])
            }
        case .stairs:
            for id in 0..<60_000 {
                node(Int64(100 + id), Double(id % 300), Double(id / 300))
                way(
                    Int64(id), [Int64(100 + id), Int64(101 + id)],
                    ["highway": "steps", "level": "0;1"])
            }
        case .kerbs:
            for id in 0..<100_000 { way(Int64(id), [1, 2], ["highway": "footway"]) }
        case .stairwells:
            for id in 0..<30_000 {
                way(Int64(id), [1, 2], ["highway": "steps", "level": "0;1;2"])
            }
        case .walls:
            way(200_000, [1, 2, 3, 4, 1], ["indoor": "area", "level": "0"])
            for id in 0..<50_000 { way(Int64(id), [1, 3], ["indoor": "wall", "level": "0"]) }
        case .shops:
            for id in 0..<20_000 {
                way(Int64(id), [1, 2, 3, 4, 1], ["shop": "a\(id)", "name": "b", "level": "0"])
                way(Int64(100_000 + id), [1, 2], ["highway": "footway"])
            }
        case .manyLevels:
            for id in 0..<250 {
                way(Int64(id), [1, 2, 3, 4, 1], ["indoor": "room", "level": "-100-300"])
            }
        default: break
        }
        return map
    }
}
