import Events
import Site

/// Converts between LABELS of IMDF and a record's name with translations.
struct IMDFNames {
    /// The archive's language, as a BCP 47 tag.
    let language: String

    /// The name in the archive's language. If there is none, the name in the first language by tag;
    /// it then stays among the translations too.
    func read(_ labels: PropertyValue) -> (name: String, names: Translations)? {
        if let text = labels.text { return (cleaned(text), Translations()) }
        var byLanguage: [String: String] = [:]
        for member in labels.members.prefix(SiteLimits.languages) {
            guard let text = member.value.text, isLanguageTag(member.name) else { continue }
            byLanguage[member.name] = cleaned(text)
        }
        if let name = byLanguage.removeValue(forKey: language) {
            return (name, Translations(byLanguage))
        }
        guard let first = byLanguage.min(by: { $0.key < $1.key }) else { return nil }
        return (first.value, Translations(byLanguage))
    }

    /// Null for a record without a name.
    func labels(_ name: String?, _ names: Translations) -> PropertyValue {
        var members: [PropertyValue.Member] = []
        if let name, !name.isEmpty { members.append(.init(language, .text(name))) }
        for (tag, text) in names.byLanguage.sorted(by: { $0.key < $1.key }) where tag != language {
            members.append(.init(tag, .text(text)))
        }
        return members.isEmpty ? .null : .members(members)
    }
}

/// The text without control characters and shortened to the limit of sites.
func cleaned(_ text: String) -> String {
    guard hasControlCharacter(text) || text.utf8.count > SiteLimits.textBytes else { return text }
    var short = String.UnicodeScalarView()
    var bytes = 0
    for scalar in text.unicodeScalars where scalar.properties.generalCategory != .control {
        bytes += String(scalar).utf8.count
        guard bytes <= SiteLimits.textBytes else { break }
        short.append(scalar)
    }
    return String(short)
}
