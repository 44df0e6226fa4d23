import Events

extension Translations {
    /// The text in the language, or else in another variant of it (`de` for `de-CH`); nil if there
    /// is none.
    ///
    /// - Parameter language: a BCP 47 tag; nil finds nothing.
    public func text(in language: String?) -> String? {
        guard let language else { return nil }
        if let text = byLanguage[language] { return text }
        let related = byLanguage.filter { isSameLanguage($0.key, language) }
        return related.min { $0.key < $1.key }?.value
    }
}

/// Whether two BCP 47 tags name the same language, regardless of country and script.
public func isSameLanguage(_ left: String, _ right: String) -> Bool {
    func language(_ tag: String) -> String { String(tag.prefix { $0 != "-" }).lowercased() }
    return language(left) == language(right)
}
