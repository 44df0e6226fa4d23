/// A secret that its bearer shows: `wab_` and 256 random bits in base64url.
///
/// The prefix lets people and scanners for leaked secrets recognise one. Only the hash is stored.
public struct BearerToken: Sendable {
    public static let prefix = "wab_"
    /// The length of every token.
    public static let characterCount = 47

    /// What the bearer keeps. It is shown once and never stored.
    public let text: String

    /// A new token, which nobody has had before.
    public init() { text = Self.prefix + base64URL(randomBytes(32)) }

    /// SHA-256 of the text, in hex: the name under which the token is known to us.
    public var hash: String { Self.hash(of: text) }

    /// The hash of any text that a client sent as its token.
    public static func hash(of text: String) -> String { sha256Hex(text) }

    /// Whether the text has a token's form; one that has not need not be looked up.
    public static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == characterCount && text.hasPrefix(prefix)
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy { base64URLAlphabet.contains($0) }
    }
}
