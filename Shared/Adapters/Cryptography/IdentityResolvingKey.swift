internal import COpenSSL

/// A Bluetooth device's identity resolving key (IRK). Who has it recognises the device by its
/// changing addresses.
///
/// See Bluetooth Core Specification 5.4, volume 6, part B, 1.3.2.3 (resolution), and volume 3, part
/// H, 2.2.2 (the function ah).
public struct IdentityResolvingKey: Hashable, Sendable {
    public static let byteCount = 16

    /// The most significant byte comes first.
    public let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Whether the address is a resolvable private one: its two highest bits are 01.
    public static func isResolvable(_ address: UInt64) -> Bool { address >> 46 & 3 == 1 }

    /// The index of the first key that made the address; nil if none did.
    ///
    /// The address has a random half and 24 bits of a hash of it. So a stranger's address fits a
    /// key by chance once in 16,777,216 times.
    ///
    /// - Parameter address: a hardware address in the low 48 bits.
    public static func resolve(_ address: UInt64, by keys: [IdentityResolvingKey]) -> Int? {
        guard isResolvable(address), !keys.isEmpty, let cipher = EVP_CIPHER_CTX_new() else {
            return nil
        }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var random = [UInt8](repeating: 0, count: byteCount)
        for (index, shift) in [40, 32, 24].enumerated() {
            random[13 + index] = UInt8(truncatingIfNeeded: address >> UInt64(shift))
        }
        var output = [UInt8](repeating: 0, count: 2 * byteCount)
        return keys.firstIndex { key in
            var count: Int32 = 0
            let isDone =
                EVP_EncryptInit_ex(cipher, EVP_aes_128_ecb(), nil, key.bytes, nil) == 1
                && EVP_EncryptUpdate(cipher, &output, &count, random, Int32(byteCount)) == 1
            guard isDone, count == Int32(byteCount) else { return false }
            let hash = output[13..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return hash == address & 0xFF_FFFF
        }
    }
}
