import SeededRandomness

struct ByteDamage {
    /// Byte sequences that parsers often fail on.
    static let tokens: [[UInt8]] = [
        [0], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80],
        [0xef, 0xbb, 0xbf],
        Array("&#0;".utf8), Array("&x;".utf8), Array("]]>".utf8), Array("<!--".utf8),
        Array("<!DOCTYPE".utf8), Array("9999999999999999999999".utf8), Array("-1".utf8),
        Array("1e999".utf8), Array("NaN".utf8), Array("\"".utf8), Array("'".utf8), Array(">".utf8),
        Array("{".utf8), Array("]".utf8), Array("\\u0000".utf8), [0x7f, 0xff, 0xff, 0xff],
        [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    ]

    /// Damages the bytes one to four times: it flips, cuts, repeats, inserts or copies from
    /// elsewhere.
    static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !bytes.isEmpty else { return }
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...64, using: &random))
            switch Int.random(in: 0..<9, using: &random) {
            case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[start] = .random(in: 0...255, using: &random)
            case 2: bytes.removeSubrange(start..<end)
            case 3: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 4: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: start)
            case 5:
                let more = (0..<Int.random(in: 1...16, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                bytes.insert(contentsOf: more, at: start)
            case 6: bytes.removeSubrange(start...)
            case 7:
                let from = Int.random(in: 0..<bytes.count, using: &random)
                let piece = bytes[from..<min(bytes.count, from + end - start)]
                bytes.replaceSubrange(start..<end, with: piece)
            default:
                // Replaces a number by another, where digits are.
                if let digit = bytes[start...].firstIndex(where: { (48...57).contains($0) }) {
                    bytes[digit] = UInt8.random(in: 48...57, using: &random)
                }
            }
        }
    }
}
