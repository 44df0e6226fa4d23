internal import CSodium

/// Argon2id (RFC 9106) by libsodium. A hash is text that contains its own salt and costs.
///
/// Making or checking a hash deliberately costs about a tenth of a second of one core and 64 MiB.
/// Callers limit how many run at once, and never use a thread that serves others.
public enum PasswordHash {
    /// The number of passes over the memory. RFC 9106 recommends three with 64 MiB (section 4,
    /// second choice).
    private static let passes: UInt64 = 3
    private static let memoryBytes = 64 << 20
    static let maximumPasswordBytes = 1024

    /// Hashes a password. Nil when memory is short.
    public static func make(of password: String) -> String? {
        let text = Array(password.utf8CString)
        precondition(text.count <= maximumPasswordBytes + 1, "the password's length was checked")
        var hash = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let code = crypto_pwhash_str_alg(
            &hash, text, UInt64(text.count - 1), passes, memoryBytes,
            crypto_pwhash_ALG_ARGON2ID13)
        guard code == 0 else { return nil }
        return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the password matches the hash. Also false when memory is short.
    public static func matches(_ password: String, _ hash: String) -> Bool {
        let text = Array(password.utf8CString)
        guard text.count <= maximumPasswordBytes + 1,
            hash.utf8.count < Int(crypto_pwhash_STRBYTES)
        else { return false }
        // libsodium reads a field of exactly this size.
        var field = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        for (index, byte) in hash.utf8.enumerated() { field[index] = CChar(bitPattern: byte) }
        return crypto_pwhash_str_verify(field, text, UInt64(text.count - 1)) == 0
    }

    /// Whether the hash was made with lower costs than today's.
    public static func isOutdated(_ hash: String) -> Bool {
        guard hash.utf8.count < Int(crypto_pwhash_STRBYTES) else { return true }
        var field = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        for (index, byte) in hash.utf8.enumerated() { field[index] = CChar(bitPattern: byte) }
        return crypto_pwhash_str_needs_rehash(field, passes, memoryBytes) != 0
    }
}
