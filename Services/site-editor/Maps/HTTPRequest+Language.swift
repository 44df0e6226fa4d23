import HTTP
import ServiceHost
import Wire

extension HTTPRequest {
    /// The reader's language: `?language=...`.
    /// - Throws: a `Problem` when it is not a language tag.
    func language() throws(Problem) -> String? {
        guard let text = firstQuery("language") else { return nil }
        guard LanguageTag.isOne(text) else {
            throw Problem(
                .languageMalformed, "Send language as a BCP 47 tag such as cy or de-CH.")
        }
        return text
    }
}
