internal import CSodium

/// SHA-256 (FIPS 180-4), 32 bytes.
public func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    // This function can't fail: it always returns 0.
    _ = crypto_hash_sha256(&digest, input, UInt64(input.count))
    return digest
}

/// SHA-256 of the text's UTF-8, in lower-case hex.
public func sha256Hex(_ text: String) -> String { hexadecimal(sha256(text.utf8)) }

public func sha256Hex(_ bytes: [UInt8]) -> String { hexadecimal(sha256(bytes)) }

/// BLAKE2b (RFC 7693) with a key. Without the key nobody can make or guess the hash.
///
/// - Parameters:
///   - key: 16 to 64 bytes.
///   - byteCount: the length of the hash, 16 to 64.
public func keyedHash(_ bytes: [UInt8], key: [UInt8], byteCount: Int = 32) -> [UInt8] {
    precondition((16...64).contains(key.count) && (16...64).contains(byteCount))
    var digest = [UInt8](repeating: 0, count: byteCount)
    let code = crypto_generichash(
        &digest, byteCount, bytes, UInt64(bytes.count), key, key.count)
    precondition(code == 0, "the sizes were checked")
    return digest
}

/// Whether the bytes are equal. The time depends only on their number.
public func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && sodium_memcmp(left, right, left.count) == 0
}

/// Two lower-case hex digits for each byte.
public func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { buffer in
        var position = 0
        for byte in bytes {
            buffer[position] = digits[Int(byte >> 4)]
            buffer[position + 1] = digits[Int(byte & 15)]
            position += 2
        }
        return position
    }
}
