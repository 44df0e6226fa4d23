import Events

extension SiteValidation {
    /// Checks the names of a record in all languages.
    mutating func checkNames(_ names: Translations) {
        guard !names.isEmpty, checkLanguages(names) else { return }
        for (language, text) in names.byLanguage.sorted(by: { $0.key < $1.key }) {
            checkText(text, "name in \(shown(language))")
        }
    }

    /// Returns false if there are too many languages to check each.
    @discardableResult
    mutating func checkLanguages(_ texts: Translations) -> Bool {
        let count = texts.byLanguage.count
        guard count <= SiteLimits.languages else {
            add(.tooMany, "texts in \(count) languages, at most \(SiteLimits.languages)")
            return false
        }
        for language in texts.byLanguage.keys.sorted() { checkLanguage(language) }
        return true
    }

    mutating func checkLanguage(_ language: String) {
        if !isLanguageTag(language) {
            let detail = "\(shown(language)) is not a language tag; write one such as cy or de-CH"
            add(.malformedLanguage, detail)
        }
    }
}

/// Whether the text has the form of a BCP 47 language tag. It has letters and digits in parts of
/// one to eight, the first of two letters or more.
public func isLanguageTag(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count <= 35 else { return false }
    var isFirst = true
    var length = 0
    for byte in bytes {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            length += 1
        case UInt8(ascii: "0")...UInt8(ascii: "9") where !isFirst: length += 1
        case UInt8(ascii: "-"):
            guard (isFirst ? 2...8 : 1...8).contains(length) else { return false }
            isFirst = false
            length = 0
        default: return false
        }
    }
    return (isFirst ? 2...8 : 1...8).contains(length)
}
