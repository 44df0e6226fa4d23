import Events
import Foundation
import Geometry
import MapFormats
import SeededRandomness
import Site
import SiteExchange

/// Drawings, damaged in their pairs and in their bytes. The first files are costly on purpose.
struct DrawingSource: FuzzSource {
    private static let bombs: [String] = [nested, crossing, long, cornered, repeated]

    /// Blocks within blocks, ten of each.
    private static var nested: String {
        var blocks = ""
        for level in 0..<12 {
            let insert = "0\nINSERT\n8\n0\n2\nb\(level + 1)\n10\n1\n20\n1\n"
            blocks += "0\nBLOCK\n2\nb\(level)\n10\n0\n20\n0\n"
            blocks += String(repeating: insert, count: 10)
            blocks += "0\nENDBLK\n"
        }
        return drawing(blocks, "0\nINSERT\n8\n0\n2\nb0\n10\n0\n20\n0\n")
    }

    /// Lines that all cross each other.
    private static var crossing: String {
        var lines = ""
        for number in 0..<20_000 {
            lines += line(Double(number), 0, Double(20_000 - number), 900)
        }
        return drawing("", lines)
    }

    /// A line over the whole allowed ground.
    private static var long: String {
        drawing("", line(-99_999, -99_999, 99_999, 99_998) + line(0, 0, 1, 1))
    }

    /// A polyline with very many corners.
    private static var cornered: String {
        var corners = "0\nLWPOLYLINE\n8\nw\n70\n1\n"
        for number in 0..<40_000 { corners += "10\n\(number % 300)\n20\n\(number / 300)\n" }
        return drawing("", corners)
    }

    /// The same outline again and again.
    private static var repeated: String {
        let one = "0\nLWPOLYLINE\n8\nw\n70\n1\n10\n0\n20\n0\n10\n9\n20\n0\n10\n9\n20\n9\n"
        return drawing("", String(repeating: one, count: 30_000))
    }

    private static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
    ) -> String {
        "0\nLINE\n8\nw\n10\n\(x1)\n20\n\(y1)\n11\n\(x2)\n21\n\(y2)\n"
    }

    private static func drawing(_ blocks: String, _ entities: String) -> String {
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n\(blocks)"
            + "0\nENDSEC\n0\nSECTION\n2\nENTITIES\n\(entities)0\nENDSEC\n0\nEOF\n"
    }

    func read(_ path: String) throws -> ImportedSite {
        guard let format = MapFormat.named("dxf") else { throw ImportRefusal(.malformed, "none") }
        var options = ImportOptions(frame: ExchangeSeed.site.frame)
        options.drawing.floor = ExchangeSeed.site.floors[0].id
        _ = try format.facts(of: .path(path), options)
        return try format.read(path, into: ExchangeSeed.site, options)
    }

    func write(_ number: Int, seed: UInt64, to path: String) throws {
        if number < Self.bombs.count {
            return try Data(Self.bombs[number].utf8).write(to: URL(filePath: path))
        }
        var random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        var pairs: [String] = []
        for room in 0..<8 {
            let (x, y) = (Double(room % 4) * 5, Double(room / 4) * 4)
            pairs += Self.outline(x, y, isLines: Bool.random(using: &random))
            pairs.append(
                "0\nTEXT\n8\nnames\n10\n\(x + 1)\n20\n\(y + 1)\n40\n0.2\n1\nRoom \(room)\n")
        }
        pairs.append("0\nINSERT\n8\nrooms\n2\ncabin\n10\n30\n20\n0\n50\n45\n70\n3\n44\n2\n")
        let block =
            "0\nBLOCK\n2\ncabin\n10\n0\n20\n0\n0\nCIRCLE\n8\n0\n10\n0\n20\n0\n40\n1\n0\nENDBLK\n"
        var lines = Self.drawing(block, pairs.joined()).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        for _ in 0..<Int.random(in: 0...4, using: &random) where !lines.isEmpty {
            let place = Int.random(in: lines.indices, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: lines.remove(at: place)
            case 1: lines.insert(lines[Int.random(in: lines.indices, using: &random)], at: place)
            case 2:
                lines[place] =
                    ["nan", "1e308", "-1", "0", "999999999999"].randomElement(using: &random) ?? ""
            case 3: lines.swapAt(place, Int.random(in: lines.indices, using: &random))
            default:
                lines[place] =
                    ["INSERT", "POLYLINE", "VERTEX", "SEQEND", "BLOCK"].randomElement(
                        using: &random) ?? ""
            }
        }
        var bytes = Array(lines.joined(separator: "\n").utf8)
        if Int.random(in: 0..<5, using: &random) == 0 { ByteDamage.damage(&bytes, &random) }
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func outline(_ x: Double, _ y: Double, isLines: Bool) -> [String] {
        let corners = [(x, y), (x + 5, y), (x + 5, y + 4), (x, y + 4)]
        guard isLines else {
            let points = corners.map { "10\n\($0.0)\n20\n\($0.1)\n" }.joined()
            return ["0\nLWPOLYLINE\n8\nrooms\n70\n1\n\(points)"]
        }
        return zip(corners, corners.dropFirst() + corners.prefix(1)).map { from, to in
            "0\nLINE\n8\nwalls\n10\n\(from.0)\n20\n\(from.1)\n11\n\(to.0)\n21\n\(to.1)\n"
        }
    }
}
