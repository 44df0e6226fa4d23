import HTTP
import ServiceHost
import Wire

extension HTTPRequest {
    /// Characters of a BCP 47 tag.
    private static let longestLanguage = 35

    /// The reader's language: `?language=...`.
    /// - Throws: a `Problem` when it is no language's tag.
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
                .languageMalformed, "language is a BCP 47 tag such as cy or de-CH.")
        }
        return text
    }
}
