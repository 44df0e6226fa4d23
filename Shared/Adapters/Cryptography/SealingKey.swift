/// A key that seals small secrets in tables, made of the services' secret. Each purpose has one.
public struct SealingKey: Sendable {
    private let bytes: [UInt8]

    /// - Parameter purpose: a word that never changes, such as `identity keys`.
    public init(_ purpose: String, secret: String) {
        bytes = keyedHash(Array(purpose.utf8), key: sha256(secret.utf8))
    }

    public func seal(_ secret: [UInt8]) -> [UInt8] { SealedBox.seal(secret, key: bytes) }

    /// Nil where the bytes were sealed with another secret, or for another purpose.
    public func open(_ sealed: [UInt8]) -> [UInt8]? { SealedBox.open(sealed, key: bytes) }
}
