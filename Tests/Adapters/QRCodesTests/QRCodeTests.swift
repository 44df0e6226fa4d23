import SeededRandomness
import Testing

@testable import QRCodes

@Suite("QR codes") struct QRCodeTests {
    @Test("A reader that follows the standard step by step finds the text in the code")
    func read() throws {
        var random = SeededRandom(seed: 17)
        for length in [1, 14, 15, 26, 27, 42, 43, 62, 84, 106, 122, 152, 180] {
            let text = String(
                (0..<length).map { _ in
                    Character(UnicodeScalar(UInt8.random(in: 0x21...0x7E, using: &random)))
                })
            let code = try #require(QRCode(text))
            #expect(SlowReader(code).text == text, "\(length) characters")
        }
    }

    @Test("An address with letters beyond ASCII is read back as UTF-8")
    func letters() throws {
        let text = "https://museum.example/s/amgueddfa?at=Tŷ-Ĝ"
        #expect(SlowReader(try #require(QRCode(text))).text == text)
    }

    @Test("There is no code of nothing, of too long a text, or of one with a NUL")
    func none() {
        #expect(QRCode("") == nil && QRCode("a\0b") == nil)
        let longest = String(repeating: "a", count: QRCode.mostBytes)
        #expect(QRCode(longest) != nil && QRCode(longest + "a") == nil)
    }
}

/// Reads undamaged codes of the versions 1 to 9 at the level M, as ISO/IEC 18004 describes them. It
/// leaves the words for correction alone.
private struct SlowReader {
    let code: QRCode
    /// The data words of each block, by version.
    private static let blocks = [
        [], [16], [28], [44], [32, 32], [43, 43], [27, 27, 27, 27], [31, 31, 31, 31],
        [38, 38, 39, 39], [36, 36, 36, 37, 37],
    ]
    /// The centres of alignment patterns, by version.
    private static let centres = [
        [], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
    ]

    init(_ code: QRCode) { self.code = code }

    private var version: Int { (code.side - 17) / 4 }

    var text: String? {
        guard (1...9).contains(version), level == 0 else { return nil }
        let bits = dataWords.flatMap { word in (0..<8).map { word >> (7 - $0) & 1 } }
        func number(_ range: Range<Int>) -> Int { bits[range].reduce(0) { $0 * 2 + Int($1) } }
        // The mode of bytes, and their number in eight bits.
        guard number(0..<4) == 4 else { return nil }
        let bytes = (0..<number(4..<12)).map { UInt8(number((12 + 8 * $0)..<(20 + 8 * $0))) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Fifteen bits beside the upper left finder, without their mask.
    private var format: Int {
        let places =
            (0...5).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)] + (0...5).reversed().map { ($0, 8) }
        return places.reduce(0) { $0 * 2 + (code.isDark(row: $1.0, column: $1.1) ? 1 : 0) }
            ^ 0b101_0100_0001_0010
    }

    private var level: Int { format >> 13 }

    private func isMasked(_ i: Int, _ j: Int) -> Bool {
        switch format >> 10 & 7 {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }

    private func isFunction(_ row: Int, _ column: Int) -> Bool {
        let side = code.side
        if row == 6 || column == 6 { return true }
        if row < 9 && (column < 9 || column >= side - 8) || row >= side - 8 && column < 9 {
            return true
        }
        if version >= 7, row < 6 && column >= side - 11 || column < 6 && row >= side - 11 {
            return true
        }
        let centres = Self.centres[version]
        return centres.contains { y in
            centres.contains { x in
                let isFinder =
                    y == 6 && x == 6 || y == 6 && x == side - 7 || y == side - 7 && x == 6
                return !isFinder && abs(row - y) <= 2 && abs(column - x) <= 2
            }
        }
    }

    /// All words in the order in which they wind through the code.
    private var words: [UInt8] {
        var bits: [UInt8] = []
        var right = code.side - 1
        var isUpward = true
        while right > 0 {
            if right == 6 { right -= 1 }
            for step in 0..<code.side {
                let row = isUpward ? code.side - 1 - step : step
                for column in [right, right - 1] where !isFunction(row, column) {
                    let isSet = code.isDark(row: row, column: column) != isMasked(row, column)
                    bits.append(isSet ? 1 : 0)
                }
            }
            right -= 2
            isUpward.toggle()
        }
        return (0..<bits.count / 8).map { word in
            bits[(8 * word)..<(8 * word + 8)].reduce(0) { $0 << 1 | $1 }
        }
    }

    /// The data words, block after block.
    private var dataWords: [UInt8] {
        let lengths = Self.blocks[version]
        var blocks = lengths.map { _ in [UInt8]() }
        var next = 0
        for place in 0..<(lengths.max() ?? 0) {
            for block in lengths.indices where place < lengths[block] {
                blocks[block].append(words[next])
                next += 1
            }
        }
        return blocks.flatMap(\.self)
    }
}
