/// A UUID (RFC 9562): the id of a scan, a survey, a position or any other event.
public struct EventID: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Version 7: 48 bits of Unix milliseconds, then 74 bits of the given random ones.
    public init(millisecondsSinceEpoch: Int64, random high: UInt64, _ low: UInt64) {
        let time = UInt64(truncatingIfNeeded: millisecondsSinceEpoch) << 16
        self.high = time | 0x7000 | (high & 0x0FFF)
        self.low = 0x8000_0000_0000_0000 | (low & 0x3FFF_FFFF_FFFF_FFFF)
    }

    /// Reads the 36-character form with hyphens, in either case; nil for anything else.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        let parsed = text.withUTF8 { Self.parse($0) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Reads the 36-character form from its bytes.
    public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard let parsed = Self.parse(bytes) else { return nil }
        self = parsed
    }

    /// The 36-character lower-case form.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { write(to: $0) }
    }

    /// Writes the 36-character form into a buffer of at least 36 bytes; returns 36.
    @discardableResult
    public func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var position = 0
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                buffer[position] = UInt8(ascii: "-")
                position += 1
            }
            let word = index < 16 ? high : low
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index & 15))) & 15
            buffer[position] =
                nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            position += 1
        }
        return position
    }

    /// The 16 bytes in network order.
    public var bytes: [UInt8] {
        (0..<16).map { index in
            let word = index < 8 ? high : low
            let shift = UInt64(56 - 8 * (index & 7))
            return UInt8(truncatingIfNeeded: word >> shift)
        }
    }

    /// From 16 bytes in network order; nil for another count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var words: [UInt64] = [0, 0]
        for (index, byte) in bytes.enumerated() {
            words[index >> 3] = words[index >> 3] << 8 | UInt64(byte)
        }
        self.init(high: words[0], low: words[1])
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> EventID? {
        guard bytes.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for index in 0..<36 {
            let byte = bytes[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let value: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            if digits < 16 {
                high = high << 4 | UInt64(value)
            } else {
                low = low << 4 | UInt64(value)
            }
            digits += 1
        }
        return EventID(high: high, low: low)
    }
}
