internal import CLibUUID

/// The 128 bits of a UUID (RFC 9562) in network order, as two words.
public struct UniqueIdentifier: Hashable, Sendable {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Version 5: SHA-1 of a namespace and a name. The same two always give the same id.
    public init(namespace: UniqueIdentifier, name: String) {
        let space = [namespace.high, namespace.low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
        }
        var outcome = [UInt8](repeating: 0, count: 16)
        let characters = Array(name.utf8CString)
        uuid_generate_sha1(&outcome, space, characters, characters.count - 1)
        high = outcome[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = outcome[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Version 7: Unix milliseconds and 74 random bits, so that later ids sort after earlier ones.
    public init(millisecondsSinceEpoch: Int64) {
        self.init(
            millisecondsSinceEpoch: millisecondsSinceEpoch, random: randomWord(), randomWord())
    }

    /// Version 7 with the given random bits.
    init(millisecondsSinceEpoch: Int64, random first: UInt64, _ second: UInt64) {
        high = UInt64(truncatingIfNeeded: millisecondsSinceEpoch) << 16 | 0x7000 | first & 0x0FFF
        low = 0x8000_0000_0000_0000 | second & 0x3FFF_FFFF_FFFF_FFFF
    }
}
