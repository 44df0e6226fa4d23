import Foundation
import SeededRandomness
import Testing

@testable import HTMLPages

/// `WHEREABOUTS_FUZZ=100000` is the long form.
@Suite("Damaged pages") struct HTMLFuzzTests {
    private static let wanted =
        ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"].flatMap(Int.init) ?? 3_000

    private static let page =
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>Rooms</title></head><body>"
        + "<table id=week><thead><tr><th>Day<th>9:00<th>9:30<th>10:00</thead><tbody>"
        + "<tr><th rowspan=2>Mon<td colspan=2>Maths &amp; &uuml;<td></tr><tr><td><td colspan=2>B"
        + "</tr></tbody></table><div class=free><span>Room 1</span><b>12</b> of 30</div></body>"
    private static let pieces = [
        "<table>", "</table>", "<tr>", "<td rowspan=65535 colspan=1000>", "<td rowspan=0>", "<!--",
        "-->", "<![CDATA[", "<script>", "<plaintext>", "&#x110000;", "&#0;", "&x;", "\u{0}", "<b>",
        "<div><div><div><div><div><div><div><div>", "<meta charset=utf-16>", "</body>", "<", "'",
        "<meta charset=none>", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "<svg><p>", "<?php", "é",
        "\u{301}",
        "<form><input><select><option>", "<a href='", "<br/></p>",
    ]
    private static let types = [
        nil, "text/html", "text/html; charset=utf-8", "text/html; charset=utf-16",
        "text/html; charset=\"x\"", "charset=iso-8859-1", "text/html;charset=shift_jis",
    ]

    private func damage(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(Self.page.utf8)
        for _ in 0..<Int.random(in: 1...5, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &random))
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 3: bytes.removeSubrange(end...)
            default:
                let piece = Self.pieces.randomElement(using: &random) ?? ""
                let count = Int.random(in: 0..<20, using: &random) == 0 ? 300 : 1
                for _ in 0..<count { bytes.insert(contentsOf: piece.utf8, at: start) }
            }
        }
        return bytes
    }

    @Test("None of them crashes, hangs or fills the memory, and half have their table")
    func damaged() throws {
        let paths = try ["//td", "//div[@class='free']/b", "//*[contains(., 'Room')]"].map {
            text throws in try HTMLPath(text)
        }
        let table = try HTMLPath("//table")
        var (read, tables) = (0, 0)
        var slowest = Duration.zero
        let clock = ContinuousClock()
        for number in 0..<Self.wanted {
            var random = SeededRandom(seed: number)
            let bytes = damage(&random)
            let type = Self.types.randomElement(using: &random) ?? nil
            let took = clock.measure {
                guard let page = try? HTMLPage(bytes: bytes, contentType: type) else { return }
                read += 1
                for path in paths {
                    for node in (try? page.nodes(path)) ?? [] {
                        let text = (try? node.text()) ?? ""
                        #expect(text.utf8.count <= HTMLLimits.mostTextBytes + 4)
                    }
                }
                tables += (try? page.table(table)) == nil ? 0 : 1
            }
            slowest = max(slowest, took)
        }
        print("damaged pages: \(Self.wanted), read \(read), tables \(tables), slowest \(slowest)")
        #expect(read > Self.wanted / 2)
        #expect(tables > Self.wanted / 2)
        #expect(slowest < .seconds(20))
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
            .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
        #expect(try #require(peak) < 1 << 20)
    }
}
