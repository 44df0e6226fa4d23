extension JSONWriter {
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string(utf8: $0) }
    }

    /// Writes a string of valid UTF-8; the caller guarantees that. Quotes, backslashes and control
    /// characters are escaped. Everything else is written unchanged.
    public mutating func string(utf8 text: UnsafeBufferPointer<UInt8>) {
        beginValue(reserving: 6 * text.count + 2)
        put(UInt8(ascii: "\""))
        var position = 0
        // Copies eight bytes at a time, up to the first group that needs an escape.
        if let base = text.baseAddress {
            reserve(text.count)
            while text.count &- position >= 8 {
                let word = UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
                if Self.needsEscape(word) { break }
                UnsafeMutableRawPointer(start + count).storeBytes(of: word, as: UInt64.self)
                count &+= 8
                position &+= 8
            }
        }
        while position < text.count {
            let byte = text[position]
            if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                put(byte)
            } else {
                putEscaped(byte)
            }
            position &+= 1
        }
        put(UInt8(ascii: "\""))
    }

    /// Writes ASCII that needs no escapes, such as an id. The closure `write` gets `count` bytes
    /// and must fill all of them.
    @inlinable
    public mutating func string(
        asciiCount count: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void
    ) {
        beginValue(reserving: count + 2)
        put(UInt8(ascii: "\""))
        reserve(count)
        write(UnsafeMutableBufferPointer(start: start + self.count, count: count))
        self.count += count
        put(UInt8(ascii: "\""))
    }

    /// Writes bytes as base64 text (RFC 4648, section 4, with padding).
    public mutating func base64(_ bytes: [UInt8]) {
        beginValue(reserving: (bytes.count + 2) / 3 * 4 + 2)
        put(UInt8(ascii: "\""))
        for first in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[first..<min(first + 3, bytes.count)]
            var word: UInt32 = 0
            for byte in group { word = word << 8 | UInt32(byte) }
            word <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let digit = Int(word >> UInt32(18 - 6 * place)) & 63
                put(place <= group.count ? base64Alphabet[digit] : UInt8(ascii: "="))
            }
        }
        put(UInt8(ascii: "\""))
    }

    /// Whether one of eight bytes is a quote, a backslash or a control character. Source:
    /// "determine if a word has a byte less than n", Bit Twiddling Hacks by Sean Eron Anderson;
    /// exact for n up to 128.
    private static func needsEscape(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let low = (word &- ones &* 0x20) & ~word
        let zeros = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return (low | zeros) & (ones &* 0x80) != 0
    }

    private mutating func putEscaped(_ byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): put(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): put(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): put(UInt8(ascii: "t"))
        case 0..<0x20:
            put(UInt8(ascii: "u"))
            for shift in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: Int(byte) >> shift & 15)
                put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        default: put(byte)
        }
    }
}

private let base64Alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// Decodes base64 text (RFC 4648, section 4, with padding). Nil when the text is not base64.
public func bytes(fromBase64 text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var word: UInt32 = 0
    var digits = 0
    var padding = 0
    for character in text {
        if character == UInt8(ascii: "=") {
            padding += 1
            word <<= 6
        } else {
            guard padding == 0, let digit = base64Digit(character) else { return nil }
            word = word << 6 | digit
        }
        digits += 1
        guard digits % 4 == 0 else { continue }
        for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
        word = 0
    }
    guard padding <= 2 else { return nil }
    bytes.removeLast(padding)
    return bytes
}

private func base64Digit(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
