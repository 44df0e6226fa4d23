public import Events

extension HardwareAddress {
    /// The length of the written form.
    public static let byteCount = 17

    /// Reads `00:62:ec:fd:ec:50`, in either case and with `:` or `-`; nil for anything else.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        let separator = bytes[2]
        guard separator == UInt8(ascii: ":") || separator == UInt8(ascii: "-") else { return nil }
        var value: UInt64 = 0
        var wrong: UInt8 = 0
        for group in 0..<6 {
            let first = bytes[3 * group]
            let second = bytes[3 * group + 1]
            wrong |= isNoDigit(first) | isNoDigit(second)
            value = value << 8 | UInt64(digitValue(first) << 4 | digitValue(second))
            if group > 0 { wrong |= bytes[3 * group - 1] ^ separator }
        }
        guard wrong == 0 else { return nil }
        self.init(value: value)
    }

    public init?(_ text: String) {
        var text = text
        guard let address = text.withUTF8({ HardwareAddress(utf8: $0) }) else { return nil }
        self = address
    }

    /// The form with colons in lower case.
    public var text: String {
        String(unsafeUninitializedCapacity: Self.byteCount) { buffer in
            write(to: buffer)
            return Self.byteCount
        }
    }

    /// Writes `byteCount` bytes: the form with colons in lower case.
    public func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
        for group in 0..<6 {
            let byte = UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * group))
            buffer[3 * group] = hexadecimalDigit(byte >> 4)
            buffer[3 * group + 1] = hexadecimalDigit(byte & 15)
            if group < 5 { buffer[3 * group + 2] = UInt8(ascii: ":") }
        }
    }
}

// No branches here: digits and letters come in random order, so a processor could not predict them.

private func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
    UInt8(ascii: "0") &+ nibble &+ (nibble > 9 ? 39 : 0)
}

/// 1 for a character that is not a hexadecimal digit, else 0.
private func isNoDigit(_ character: UInt8) -> UInt8 {
    let digit = character &- UInt8(ascii: "0")
    let letter = (character | 0x20) &- UInt8(ascii: "a")
    return (digit < 10 ? 0 : 1) & (letter < 6 ? 0 : 1)
}

/// The value of a hexadecimal digit. Letters have bit 6 set, and their low bits begin at 1.
private func digitValue(_ character: UInt8) -> UInt8 {
    (character & 15) &+ 9 &* (character &>> 6)
}
