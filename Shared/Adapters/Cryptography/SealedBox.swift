internal import CSodium

/// Encrypts small secrets for storage, with XSalsa20-Poly1305 (libsodium's secretbox).
public enum SealedBox {
    public static let keyBytes = 32

    /// The nonce, then the encrypted bytes with their authentication.
    ///
    /// - Parameter key: `keyBytes` bytes.
    public static func seal(_ secret: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == keyBytes)
        let nonce = randomBytes(Int(crypto_secretbox_NONCEBYTES))
        var box = [UInt8](
            repeating: 0, count: secret.count + Int(crypto_secretbox_MACBYTES))
        let code = crypto_secretbox_easy(&box, secret, UInt64(secret.count), nonce, key)
        precondition(code == 0, "the sizes were checked")
        return nonce + box
    }

    /// Nil when the bytes were not sealed with this key.
    public static func open(_ sealed: [UInt8], key: [UInt8]) -> [UInt8]? {
        let (nonceBytes, mac) = (Int(crypto_secretbox_NONCEBYTES), Int(crypto_secretbox_MACBYTES))
        guard key.count == keyBytes, sealed.count >= nonceBytes + mac else { return nil }
        let (nonce, box) = (Array(sealed.prefix(nonceBytes)), Array(sealed.dropFirst(nonceBytes)))
        var secret = [UInt8](repeating: 0, count: box.count - mac)
        guard crypto_secretbox_open_easy(&secret, box, UInt64(box.count), nonce, key) == 0
        else { return nil }
        return secret
    }
}
