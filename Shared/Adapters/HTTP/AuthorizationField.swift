/// Reads the field `Authorization`. A scheme's name is not case sensitive (RFC 9110, section 11.1).
enum AuthorizationField {
    /// The token of the Bearer scheme. Nil for other schemes.
    static func bearerToken(_ field: UnsafeRawBufferPointer) -> String? {
        rest(field, after: "bearer ").map { String(decoding: $0, as: UTF8.self) }
    }

    /// The password of the Basic scheme (RFC 7617). Nil for other schemes, and where there is none.
    static func password(_ field: UnsafeRawBufferPointer) -> String? {
        guard let encoded = rest(field, after: "basic "), let bytes = decode(encoded),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    }

    private static func rest(
        _ field: UnsafeRawBufferPointer, after scheme: StaticString
    ) -> UnsafeRawBufferPointer? {
        let count = scheme.utf8CodeUnitCount
        guard field.count > count,
            (0..<count).allSatisfy({ index in
                let wanted = scheme.utf8Start[index]
                return field[index] == wanted || field[index] | 0x20 == wanted
            })
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: field[count...])
    }

    /// Base64 (RFC 4648, section 4). Padding may be missing. Nil for anything else.
    private static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        for character in text.dropLast(padding) {
            guard let digit = digit(character) else { return nil }
            bits = bits << 6 | digit
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - 65)
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - 71)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character + 4)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
