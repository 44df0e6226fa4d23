/// The single rooms of a text for several that are used as one: `7.01/2/3` is 7.01, 7.02, 7.03.
enum CombinedRooms {
    private static let most = 50

    /// For each room the names that it may have, the likeliest last. Nil for a text without parts.
    ///
    /// A later part replaces the end of the first name. It can also be a complete name.
    static func names(of text: String) -> [[String]]? {
        let parts = split(text)
        guard parts.count > 1, parts.count <= most, let first = parts.first else { return nil }
        return [[first]]
            + parts.dropFirst().map { part in
                guard part.count < first.count else { return [part] }
                return [String(first.dropLast(part.count)) + part, part]
            }
    }

    private static func split(_ text: String) -> [String] {
        let separated = text.split(whereSeparator: { "/,;&+".contains($0) })
        return separated.map { trimmed(String($0)) }.filter { !$0.isEmpty }
    }
}
