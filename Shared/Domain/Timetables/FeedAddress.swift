/// The address of a feed: `http` or `https`, or a calendar's `webcal`, which means `https`.
public struct FeedAddress: Hashable, Sendable {
    public static let characters = 2_000

    /// The complete address, with `https` for `webcal`.
    public let text: String
    /// The host and the port, in lower case.
    public let host: String
    /// The address without user, password and query, which may be secrets.
    public let shown: String

    /// Nil for anything else.
    public init?(_ text: String) {
        guard (1...Self.characters).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
        else { return nil }
        let lower = text.lowercased()
        let scheme = ["https://", "http://", "webcal://", "webcals://"].first(
            where: lower.hasPrefix)
        guard let scheme else { return nil }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !host.isEmpty, !host.hasPrefix(":"), !authority.contains("\\") else { return nil }
        let proper = scheme.hasPrefix("webcal") ? "https://" : scheme
        self.text = proper + rest
        self.host = host.lowercased()
        let path = rest[end...].prefix { $0 != "?" && $0 != "#" }
        let isShort = !rest[end...].contains("?")
        shown = proper + self.host + path + (isShort ? "" : "?…")
    }
}
