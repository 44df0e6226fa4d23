/// A secret that a client sends to identify itself: `wab_` and 256 random bits in base64url.
///
/// The prefix lets people and leak scanners recognize a token. Only the hash is stored.
public struct BearerToken: Sendable {
    public static let prefix = "wab_"
    public static let characterCount = 47

    /// The secret that the client keeps. It is shown once and never stored.
    public let text: String

    public init() { text = Self.prefix + base64URL(randomBytes(32)) }

    /// SHA-256 of the text, in hex. The token is stored under this name.
    public var hash: String { Self.hash(of: text) }

    /// The hash of a text that a client sent as its token.
    public static func hash(of text: String) -> String { sha256Hex(text) }

    /// Whether the text has the form of a token. Other texts need no look-up.
    public static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == characterCount && text.hasPrefix(prefix)
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy { base64URLAlphabet.contains($0) }
    }
}
