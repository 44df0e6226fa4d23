import HTTP
import ServiceHost
import Wire

extension HTTPRequest {
    /// The most characters of a BCP 47 tag.
    private static let longestLanguage = 35

    /// The reader's language: `?language=...`.
    /// - Throws: a `Problem` when it is not a language tag.
    func language() throws(Problem) -> String? {
        guard let text = firstQuery("language") else { return nil }
        let isTag =
            (1...Self.longestLanguage).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return character == "-"
                    || character.isASCII && (character.isLetter || character.isNumber)
            }
        guard isTag else {
            throw Problem(
                .languageMalformed, "Send language as a BCP 47 tag such as cy or de-CH.")
        }
        return text
    }
}
