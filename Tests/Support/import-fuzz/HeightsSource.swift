import Events
import Foundation
import Geometry
import MapFormats
import SeededRandomness
import Site
import SiteExchange

/// Grids of heights around the seed's site, damaged in their bytes. The first ones state more than
/// they hold.
struct HeightsSource: FuzzSource {
    private static let cell = 0.00002
    private static let bombs = [
        "ncols 16000000\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 0.00001\n1",
        "ncols 4000\nnrows 4000\nxllcorner 0\nyllcorner 0\ncellsize 0.00001\n1 2 3",
        "ncols 9223372036854775807\nnrows 9223372036854775807\n",
        "ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 0.00001\n"
            + String(repeating: "1 ", count: 4_000_000),
        "ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 0.00001\n"
            + String(repeating: "1", count: 4_000_000), String(repeating: "\n", count: 4_000_000),
    ]

    /// The seed's site with a path outdoors.
    private let site: SiteDocument = {
        var site = ExchangeSeed.site
        site.connections.append(
            ConnectionRecord(
                id: ConnectionID("path"), kind: .walk,
                stops: [
                    ConnectionStop(floor: nil, point: [-30, -30]),
                    ConnectionStop(floor: nil, point: [20, -30]),
                ]))
        return site
    }()

    private var grid: String {
        let size = 80
        let west = site.originLongitude - Double(size) / 2 * Self.cell
        let south = site.originLatitude - Double(size) / 2 * Self.cell
        var text = "ncols \(size)\nnrows \(size)\nxllcorner \(west)\nyllcorner \(south)\n"
        text += "cellsize \(Self.cell)\nNODATA_value -9999\n"
        for row in 0..<size {
            text += (0..<size).map { "\(100 + (row * 7 + $0 * 3) % 11)" }.joined(separator: " ")
            text += "\n"
        }
        return text
    }

    func read(_ path: String) throws -> ImportedSite {
        guard let format = MapFormat.named("heights") else {
            throw ImportRefusal(.malformed, "no such format")
        }
        return try format.read(path, into: site)
    }

    func write(_ number: Int, seed: UInt64, to path: String) throws {
        if Self.bombs.indices.contains(number) {
            return try Data(Self.bombs[number].utf8).write(to: URL(filePath: path))
        }
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        var bytes = Array(grid.utf8)
        if Int.random(in: 0..<4, using: &random) > 0 {
            // Most damage goes into the header, which is a hundredth of the file.
            var head = Array(bytes.prefix(160))
            ByteDamage.damage(&head, &random)
            if Bool.random(using: &random) { ByteDamage.damage(&bytes, &random) }
            bytes = head + bytes.dropFirst(160)
        }
        try Data(bytes).write(to: URL(filePath: path))
    }
}
