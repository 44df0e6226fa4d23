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

private let base64URLAlphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

/// Bytes as base64url (RFC 4648, section 5) without padding.
public func base64URL(_ bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        count += 8
        while count >= 6 {
            count -= 6
            characters.append(base64URLAlphabet[Int(bits >> count & 63)])
        }
        bits &= (1 << count) - 1
    }
    if count > 0 { characters.append(base64URLAlphabet[Int(bits << (6 - count) & 63)]) }
    return String(decoding: characters, as: UTF8.self)
}
