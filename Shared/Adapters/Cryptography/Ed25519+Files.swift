internal import CSodium

extension Ed25519.KeyPair {
    /// Makes the pair from a seed of 32 bytes. Nil for a seed of any other length.
    public init?(seed: [UInt8]) {
        guard seed.count == Ed25519.seedBytes else { return nil }
        var publicKey = [UInt8](repeating: 0, count: Ed25519.publicKeyBytes)
        var secretKey = [UInt8](repeating: 0, count: Ed25519.secretKeyBytes)
        // This function can't fail.
        _ = crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        self.init(secretKey: secretKey)
    }

    /// The key in openssl's format: PKCS #8 (RFC 8410, section 7) in PEM.
    public var pem: String {
        let bytes = Ed25519.secretPrefix + secretKey.prefix(Ed25519.seedBytes)
        return "\(Ed25519.secretBegin)\n\(base64(Array(bytes)))\n"
            + "\(Ed25519.secretEnd)\n"
    }

    /// Reads a key that openssl or this program wrote. Nil when the text is not a key.
    public init?(pem: String) {
        let bytes = Ed25519.bytes(pem, from: Ed25519.secretBegin, to: Ed25519.secretEnd)
        guard let bytes, bytes.starts(with: Ed25519.secretPrefix),
            bytes.count == Ed25519.secretPrefix.count + Ed25519.seedBytes
        else { return nil }
        self.init(seed: Array(bytes.suffix(Ed25519.seedBytes)))
    }
}

extension Ed25519 {
    static let seedBytes = 32

    /// Reads the public half of a public or secret key in PEM. Nil when the text is not a key.
    public static func publicKey(pem: String) -> [UInt8]? {
        if let pair = KeyPair(pem: pem) { return pair.publicKey }
        guard let bytes = bytes(pem, from: publicBegin, to: publicEnd),
            bytes.starts(with: publicPrefix), bytes.count == publicPrefix.count + publicKeyBytes
        else { return nil }
        return Array(bytes.suffix(publicKeyBytes))
    }

    fileprivate static let secretBegin = "-----BEGIN PRIVATE KEY-----"
    fileprivate static let secretEnd = "-----END PRIVATE KEY-----"
    private static let publicBegin = "-----BEGIN PUBLIC KEY-----"
    private static let publicEnd = "-----END PUBLIC KEY-----"
    /// The bytes before the seed and before the public key. All parts have a fixed length.
    fileprivate static let secretPrefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04,
        0x20,
    ]
    private static let publicPrefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    fileprivate static func bytes(_ pem: String, from begin: String, to end: String) -> [UInt8]? {
        guard let start = pem.firstRange(of: begin),
            let stop = pem[start.upperBound...].firstRange(of: end)
        else { return nil }
        let text = pem[start.upperBound..<stop.lowerBound].filter { !$0.isWhitespace }
        return Cryptography.bytes(ofBase64: text)
    }
}
