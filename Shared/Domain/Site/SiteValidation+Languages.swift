import Events

extension SiteValidation {
    /// Names by language.
    mutating func checkNames(_ names: Translations, _ subject: String) {
        guard checkLanguages(names, subject) else { return }
        for (language, text) in names.byLanguage.sorted(by: { $0.key < $1.key }) {
            checkText(text, "name in \(shown(language))", subject)
        }
    }

    /// False where there are too many to look at.
    @discardableResult
    mutating func checkLanguages(_ texts: Translations, _ subject: String) -> Bool {
        let count = texts.byLanguage.count
        guard count <= SiteLimits.languages else {
            add(.tooMany, subject, "texts in \(count) languages, at most \(SiteLimits.languages)")
            return false
        }
        for language in texts.byLanguage.keys.sorted() { checkLanguage(language, subject) }
        return true
    }

    mutating func checkLanguage(_ language: String, _ subject: String) {
        if !isLanguageTag(language) {
            let detail = "\(shown(language)) is no language tag such as cy or de-CH"
            add(.malformedLanguage, subject, detail)
        }
    }
}

/// Whether it looks like a BCP 47 language tag: letters and digits in parts of one to eight, the first of
/// two or more letters.
public func isLanguageTag(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let first = parts.first,
        (2...8).contains(first.count), first.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return false }
    return parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.count)
            && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
