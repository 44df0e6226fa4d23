internal import CSodium

/// Argon2id (RFC 9106) by libsodium. A hash is text that carries its own salt and costs.
///
/// Making and checking one takes about a tenth of a second of one core and 64 MiB, which is the
/// point: callers bound how many run at once, and never call it on a thread that serves others.
public enum PasswordHash {
    /// Passes over the memory. RFC 9106 asks for three where 64 MiB are used (section 4, second
    /// choice).
    private static let passes: UInt64 = 3
    private static let memoryBytes = 64 << 20
    /// The longest password that is looked at, in bytes.
    static let maximumPasswordBytes = 1024

    /// Hashes a password; nil when there is no memory for it.
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

    /// Whether the password is the one that was hashed. Also false when there is no memory to tell.
    public static func matches(_ password: String, _ hash: String) -> Bool {
        let text = Array(password.utf8CString)
        guard text.count <= maximumPasswordBytes + 1,
            hash.utf8.count < Int(crypto_pwhash_STRBYTES)
        else { return false }
        // The function reads a whole field of this size.
        var field = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        for (index, byte) in hash.utf8.enumerated() { field[index] = CChar(bitPattern: byte) }
        return crypto_pwhash_str_verify(field, text, UInt64(text.count - 1)) == 0
    }

    /// Whether the hash was made with less than we ask for today.
    public static func isOutdated(_ hash: String) -> Bool {
        guard hash.utf8.count < Int(crypto_pwhash_STRBYTES) else { return true }
        var field = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        for (index, byte) in hash.utf8.enumerated() { field[index] = CChar(bitPattern: byte) }
        return crypto_pwhash_str_needs_rehash(field, passes, memoryBytes) != 0
    }
}
