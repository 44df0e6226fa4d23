import Events

/// A file that is stored outside of the log, under the hash of its bytes.
public struct MediaReference: Hashable, Sendable {
    /// SHA-256 of the bytes, 64 hexadecimal digits in lower case.
    public var hash: String
    /// Media type, such as image/png.
    public var type: String
    public var bytes: Int

    public init(hash: String, type: String, bytes: Int) {
        self.hash = hash
        self.type = type
        self.bytes = bytes
    }
}
