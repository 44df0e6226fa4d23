/// FNV-1a with 32 bits (Fowler, Noll and Vo), over bytes.
struct TrackChecksum {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 0x0100_0193 }

    mutating func add(_ word: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
        }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var checksum = TrackChecksum()
        for byte in bytes { checksum.add(byte) }
        return checksum.value
    }
}
