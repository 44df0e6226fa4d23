internal import CSodium

/// Signatures that anybody can check but only the key's owner can make (RFC 8032).
public enum Ed25519 {
    public static let publicKeyBytes = 32
    static let secretKeyBytes = 64
    public static let signatureBytes = 64

    /// A secret key with its public key.
    public struct KeyPair: Hashable, Sendable {
        public let publicKey: [UInt8]
        /// The seed and the public key, in libsodium's form.
        public let secretKey: [UInt8]

        public init() {
            var publicKey = [UInt8](repeating: 0, count: Ed25519.publicKeyBytes)
            var secretKey = [UInt8](repeating: 0, count: Ed25519.secretKeyBytes)
            prepareSodium()
            _ = crypto_sign_keypair(&publicKey, &secretKey)
            self.publicKey = publicKey
            self.secretKey = secretKey
        }

        /// Restores a stored pair. Nil when the bytes are not a secret key.
        public init?(secretKey: [UInt8]) {
            guard secretKey.count == Ed25519.secretKeyBytes else { return nil }
            publicKey = Array(secretKey[32...])
            self.secretKey = secretKey
        }

        public func signature(of bytes: [UInt8]) -> [UInt8] {
            var signature = [UInt8](repeating: 0, count: Ed25519.signatureBytes)
            // This function can't fail.
            _ = crypto_sign_detached(
                &signature, nil, bytes, UInt64(bytes.count), secretKey)
            return signature
        }
    }

    /// Whether the key's owner signed exactly these bytes. False for a signature or key of wrong
    /// length.
    public static func verifies(
        _ signature: [UInt8], of bytes: [UInt8], publicKey: [UInt8]
    ) -> Bool {
        guard signature.count == signatureBytes, publicKey.count == publicKeyBytes else {
            return false
        }
        return crypto_sign_verify_detached(signature, bytes, UInt64(bytes.count), publicKey) == 0
    }
}
