/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo; RFC 9923). It is the same in every process and
/// every version of Swift. It is not safe against attacks.
public enum FNV1a {
    public static let offsetBasis: UInt64 = 0xcbf2_9ce4_8422_2325
    static let prime: UInt64 = 0x100_0000_01b3

    /// - Parameter start: a value other than the default gives another hash function.
    public static func hash(
        _ bytes: some Sequence<UInt8>, from start: UInt64 = offsetBasis
    ) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* prime }
    }
}
