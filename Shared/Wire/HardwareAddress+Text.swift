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
        // A character that is no digit counts as 0xFF, so that one test at the end suffices.
        var seen: UInt8 = 0
        for group in 0..<6 {
            let first = hexadecimalValue(bytes[3 * group])
            let second = hexadecimalValue(bytes[3 * group + 1])
            seen |= first | second
            value = value << 8 | UInt64(first << 4 | second & 15)
            if group > 0, bytes[3 * group - 1] != separator { return nil }
        }
        guard seen < 16 else { return nil }
        self.init(value: value)
    }

    /// Reads the written form.
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

private func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
}

private func hexadecimalValue(_ character: UInt8) -> UInt8 {
    let digit = character &- UInt8(ascii: "0")
    if digit < 10 { return digit }
    let letter = (character | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter + 10 : 0xFF
}
